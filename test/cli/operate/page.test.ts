import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { html } from '../../../cli/commands/operate/page/html.ts';
import { statusPage } from '../../../cli/commands/operate/page/page.ts';
import type { History } from '../../../functions/core/operate/history.ts';
import type { SystemStatus } from '../../../functions/core/operate/status.ts';
import { type TemporaryFolder, temporaryFolder } from '../../local/temporary-folder.ts';
import { on } from './bed.ts';
import { type Browser, chromium, startChromium } from './chromium.ts';
import { type LocalBed, localBed, NOW } from './local-bed.ts';

const HOUR = 3_600_000;

/** Names that would break out of text and out of attributes. */
const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;`;

const hostile: SystemStatus = {
  at: NOW,
  streams: [
    {
      ...{ org: HOSTILE, stream: 'logs' },
      health: { verdict: 'broken', reason: HOSTILE, command: HOSTILE },
      row: {
        ...{ sequence: 3, paused: false, caughtUp: true, tokenDoubted: false, owed: { [HOSTILE]: 2 } },
        lease: { owner: HOSTILE, expiresAt: NOW + HOUR, expired: false },
        gaps: [{ from: NOW - 3 * HOUR, to: NOW - 2 * HOUR, reason: 'stale-token', canRewind: true }],
        ...{ lastHour: { count: 1, atLeast: false }, lastDay: { count: 2, atLeast: true } },
      },
    },
  ],
  destinations: [
    {
      destination: { id: HOSTILE, kind: HOSTILE, delivery: 'push' },
      health: { verdict: 'ok', reason: 'nothing waits' },
      ...{ queue: { visible: 0, inFlight: 0, dead: 0 }, rejected: { count: 0, atLeast: false } },
    },
  ],
};

const history: History = {
  ...{ org: HOSTILE, stream: 'logs', unknown: 1 },
  hours: [4, 3, 2, 1].map((ago) => ({ at: NOW - ago * HOUR, events: ago, batches: 1, lagMs: ago * 1_000 })),
  gaps: [{ from: NOW - 3 * HOUR, to: NOW - 2 * HOUR, reason: 'stale-token' }],
};

const hostilePage = () =>
  statusPage({ title: HOSTILE, status: hostile, histories: [history], days: 1, same: HOSTILE });

describe('the page', () => {
  let bed: LocalBed;
  let folder: TemporaryFolder;
  let file: string;
  let browser: Browser;
  beforeAll(async () => {
    if (chromium !== undefined) browser = await startChromium(chromium);
    bed = await localBed();
    folder = await temporaryFolder();
    file = join(folder.path, 'status.html');
  });
  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
    if (chromium !== undefined) await browser[Symbol.asyncDispose]();
  });

  test('is written beside what is printed, in place of the one before', async () => {
    await writeFile(file, 'an older page');
    const { outcome, stdout, stderr } = await on(bed)(['status', '--html', file, '--days', '2']);
    expect(outcome).toBe(0);
    expect(stdout).toContain('✓  institution');
    expect(stderr).toMatch(/status\.html: \d+(\.\d)? kB\n$/);
    const page = await readFile(file, 'utf8');
    expect(page).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(page).toContain('plots of 2 days');
    expect(page.match(/<svg /g)).toHaveLength(3);
    expect(page).toContain('2026-01-02 02:00:00Z: ');
    expect(page.match(/<dt>waiting<\/dt>/g)).toHaveLength(2);
  });

  test('needs nothing but itself', async () => {
    expect(await readFile(file, 'utf8')).not.toMatch(/<script|<link rel="stylesheet|https?:|url\(|@import/);
  });

  test('that cannot be written is trouble, after what was printed', async () => {
    const { outcome, stdout, stderr } = await on(bed)([
      'status',
      '--html',
      join(folder.path, 'no', 'such.html'),
    ]);
    expect(outcome).toBe(1);
    expect(stdout).toContain('✓  institution');
    expect(stderr).toMatch(/such\.html \(ENOENT\): name another file/);
  });

  test('escapes whatever it shows', () => {
    const page = hostilePage();
    expect(page).not.toMatch(/<script|<img/);
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;');
    expect(html`<a title="${'"'}">${[html`<b>${'<'}</b>`, html``]}${1}</a>`.text).toBe(
      '<a title="&quot;"><b>&lt;</b>1</a>',
    );
  });

  if (chromium === undefined) console.warn('no Chromium is installed: the page is opened in none');
  describe.skipIf(chromium === undefined)('in a browser without scripts', () => {
    test.each([
      ['light', 1280, 'rgb(255, 255, 255)'],
      ['dark', 360, 'rgb(20, 23, 27)'],
    ] as const)('is read in %s, %i wide', async (colours, width, background) => {
      const hostileFile = join(folder.path, 'hostile.html');
      await writeFile(hostileFile, hostilePage());
      for (const path of [file, hostileFile]) {
        const sight = await browser.open(pathToFileURL(path).href, { width, colours });
        expect(await sight.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(background);
        expect(await sight.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        const drawings =
          '[...document.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect().width)';
        expect(await sight.evaluate(drawings)).toEqual(Array(3).fill(expect.toSatisfy((wide) => wide > 200)));
        expect(await sight.evaluate('document.body.innerText')).toContain('Events per hour');
        expect(sight).toMatchObject({ complaints: [], requests: [] });
      }
    });

    test('would be seen to complain', async () => {
      const bad = join(folder.path, 'bad.html');
      await writeFile(bad, '<!doctype html><link rel="stylesheet" href="missing.css">');
      const { complaints, requests } = await browser.open(pathToFileURL(bad).href, {
        width: 800,
        colours: 'light',
      });
      expect(complaints.join()).toContain('missing.css');
      expect(requests).toHaveLength(1);
    });
  });
});
