import { describe, expect, it, vi } from 'vitest';
import { createDeliveryTelemetry } from '../../functions/adapters/delivery-telemetry.ts';
import { createSyncTelemetry } from '../../functions/adapters/sync-telemetry.ts';
import { createTelemetry } from '../../functions/adapters/telemetry.ts';
import { OrglogError } from '../../functions/core/errors.ts';
import { asText } from './intrinsics.ts';
import {
  destination,
  followed,
  manyOrganizations,
  organization,
  pushDestination,
  settings,
} from './settings-fixture.ts';
import { property, resourcesOf, synthesize } from './synthesize.ts';

interface Widget {
  readonly type: 'text' | 'metric' | 'log';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly query?: string;
    readonly metrics?: readonly (readonly unknown[])[];
  };
}

const DESTINATIONS = [destination('splunk'), pushDestination('bulk', 'elastic')];

async function dashboardOf(members: Record<string, unknown>) {
  const synthesized = await synthesize(settings(members));
  const [dashboard, ...more] = resourcesOf(synthesized, 'AWS::CloudWatch::Dashboard');
  if (dashboard === undefined || more.length > 0) throw new Error('expected one dashboard');
  const text = asText(property(dashboard, 'DashboardBody'), dashboard.template);
  const { widgets } = JSON.parse(text) as { widgets: Widget[] };
  return { name: property(dashboard, 'DashboardName'), stack: dashboard.stack, text, widgets };
}

const standard = await dashboardOf({ destinations: DESTINATIONS });
/** With identity records. */
const records = await dashboardOf({ organizations: [followed('institution')], destinations: DESTINATIONS });

const titles = (widgets: readonly Widget[]) => widgets.flatMap(({ properties }) => properties.title ?? []);
const queries = (widgets: readonly Widget[]) => widgets.flatMap(({ properties }) => properties.query ?? []);
const expressions = (widgets: readonly Widget[]) =>
  JSON.stringify(widgets.flatMap(({ properties }) => properties.metrics ?? []));

/** Every field of the lines that a run writes, members of members with a dot between. */
function fieldsWritten(): Set<string> {
  const output: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      output.push(String(chunk));
      return true;
    }),
  );
  try {
    const delivery = createDeliveryTelemetry({ destination: 'splunk' });
    delivery.observe({ kind: 'rejected', key: 'logs/a', line: 1, reason: 'no' });
    delivery.finish({
      ...{ messages: 1, delivered: 1, rejected: 1, requests: 1, runMs: 1 },
      failures: [{ id: 'a', kind: 'retry', reason: 'no', key: 'logs/a' }],
    });
    const sync = createSyncTelemetry({ org: 'institution', environment: 'prod' });
    const byAction = {
      ...{ 'identity.created': 1, 'identity.modified': 1, 'identity.removed': 1 },
      ...{ 'collection.linked': 1, 'collection.unlinked': 1 },
    };
    sync.finish({
      ...{ outcome: 'failed', error: new OrglogError('storage', 'no'), pages: 1, identities: 1, events: 5 },
      ...{ byAction, bytes: 1, storedBytes: 1, batches: 1, adopted: 0, announced: 1, owed: {} },
      ...{ unconfirmed: 1, walk: 1, snapshotAgeSeconds: 1, runMs: 1 },
    });
    const telemetry = createTelemetry({ org: 'institution' });
    telemetry.observe({ kind: 'gap', gap: { from: 0, to: 1000, reason: 'stale-token' } });
    telemetry.observe({ kind: 'drift', what: 'logType "new"' });
    telemetry.observe({ kind: 'announce-failed', destination: 'splunk', sequence: 1, reason: 'no' });
    telemetry.finish({
      ...{ outcome: 'failed', events: 1, bytes: 1, storedBytes: 1, pages: 1, batches: 1, adopted: 0 },
      ...{ repeats: 0, announced: 1, owed: {}, gapSeconds: 1, gaps: 1, drift: 1, throttles: 1, runMs: 1 },
      ...{ providerErrors: { '429': 1, '503': 1, network: 1 }, sequence: 1 },
      error: new OrglogError('storage', 'no'),
    });
    telemetry.finish({
      ...{ outcome: 'time-up', events: 1, bytes: 1, storedBytes: 1, pages: 1, batches: 1, adopted: 0 },
      ...{ repeats: 0, announced: 1, owed: {}, gapSeconds: 0, gaps: 0, drift: 0, throttles: 0, runMs: 1 },
      ...{ providerErrors: {}, lagSeconds: 1 },
    });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const fields = (value: object, prefix: string): string[] =>
    Object.entries(value).flatMap(([name, inner]) => [
      `${prefix}${name}`,
      ...(typeof inner === 'object' && inner !== null ? fields(inner, `${prefix}${name}.`) : []),
    ]);
  const lines = output
    .join('')
    .split('\n')
    .filter((line) => line !== '');
  return new Set(lines.flatMap((line) => fields(JSON.parse(line), '')));
}

describe('the dashboard', () => {
  it('is one, in the foundation, under the name of the settings', () => {
    expect(standard).toMatchObject({ name: 'orglog', stack: 'orglog-foundation' });
  });

  it('shows all that is to be seen at a glance', () => {
    const all = titles(standard.widgets).join('\n');
    for (const what of [
      'Events by organization',
      'behind the log',
      'Last success',
      'Runs that failed',
      "provider's errors",
      'Gaps',
      'Drift',
      'Age of the oldest message',
      'Dead letters',
      'Delivery: events accepted',
      'Events refused for good',
      'Lambda: invocations and GB-seconds',
      'DynamoDB: units consumed',
      'S3: bytes stored',
    ]) {
      expect(all).toContain(what);
    }
  });

  it('is the same whatever organizations there are: it asks for the first, the last, the worst', async () => {
    const many = await dashboardOf({ organizations: manyOrganizations(45), destinations: DESTINATIONS });
    expect(many.text).toBe(standard.text);
  });

  it('asks the log groups of all functions that write what is asked for, and no others', async () => {
    const sources = (widgets: readonly Widget[]) =>
      Map.groupBy(
        queries(widgets).map((query) => /^SOURCE logGroups\(namePrefix: \[(.*)\]\)\n/.exec(query)?.[1]),
        (prefixes) => prefixes,
      );
    const asked = sources(standard.widgets);
    expect([...asked.keys()].sort()).toStrictEqual([
      "'/orglog/collectors-'",
      "'/orglog/collectors-', '/orglog/deliver-'",
      "'/orglog/deliver-'",
    ]);
    expect(asked.get("'/orglog/collectors-'")?.length).toBeGreaterThan(5);
    const pulledOnly = await dashboardOf({ destinations: [destination('splunk')] });
    expect([...sources(pulledOnly.widgets).keys()]).toStrictEqual(["'/orglog/collectors-'"]);
  });

  it('shows identity records where there are any, and is the same however many', async () => {
    expect(titles(standard.widgets).join()).not.toMatch(/identity records|snapshot/i);
    const shown = titles(records.widgets).join('\n');
    for (const what of [
      'Age of the last whole snapshot',
      'runs that failed',
      'what happened',
      'pages read',
    ]) {
      expect(shown).toContain(what);
    }
    expect(expressions(records.widgets)).toContain('MAX(snapshotAgeSeconds)');
    expect(expressions(records.widgets)).toContain('GROUP BY org, environment');
    const asking = queries(records.widgets).filter((query) => query.includes("'/orglog/identities-'"));
    const own = asking.filter((query) =>
      query.startsWith("SOURCE logGroups(namePrefix: ['/orglog/identities-'])"),
    );
    // Gaps, queues that refuse, and the two of the cost drivers ask everywhere.
    expect([own.length, asking.length]).toStrictEqual([4, 8]);
    for (const query of own) expect(query).toContain(' by org, environment\n');
    const organizations = [
      followed('institution', { environments: ['test', 'prod'], stack: 3 }),
      followed('college'),
    ];
    const more = await dashboardOf({ organizations, destinations: DESTINATIONS });
    expect(more.text).toBe(records.text);
  });

  it('groups every figure of an organization by the field that its log lines have', () => {
    const perOrganization = queries(standard.widgets).filter((query) => / by .*\borg\b/.test(query));
    expect(perOrganization.length).toBeGreaterThan(4);
    for (const query of perOrganization) expect(query).toMatch(/limit 25$/);
  });

  it('asks for fields that the log lines have', () => {
    const written = fieldsWritten();
    const asked = queries(records.widgets)
      .filter((query) => !query.includes('REPORT'))
      .flatMap((query) => [
        ...[...query.matchAll(/(?:sum|latest|ispresent)\(([\w.@]+)\)/g)].map(([, field = '']) => field),
        ...[...query.matchAll(/^\| (?:stats .* by|fields) ([\w.@, ]+)$/gm)].flatMap(([, list = '']) =>
          list.split(', '),
        ),
      ])
      .filter((field) => !field.startsWith('@'));
    expect(new Set(asked).size).toBeGreaterThan(20);
    expect(asked.filter((field) => !written.has(field))).toStrictEqual([]);
  });

  it('keeps to the limits of CloudWatch', async () => {
    const destinations = Array.from({ length: 10 }, (_, index) => pushDestination(`siem-${index}`));
    const organizations = [followed('institution')];
    const largest = await dashboardOf({ organizations, destinations, monitoring: 'detailed' });
    expect(Buffer.byteLength(largest.text)).toBeLessThan(30_000);
    expect(largest.widgets.length).toBeLessThan(100);
    for (const { properties } of largest.widgets) expect(properties.metrics?.length ?? 0).toBeLessThan(100);
  });

  it('has no widget upon another', () => {
    const cells = records.widgets.flatMap(({ x, y, width, height }) =>
      Array.from({ length: width * height }, (_, at) => `${x + (at % width)},${y + Math.floor(at / width)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(records.widgets.every(({ x, width }) => x + width <= 24)).toBe(true);
  });

  it('draws metrics that only the detailed level sends only there', async () => {
    const detailed = await dashboardOf({ destinations: DESTINATIONS, monitoring: 'detailed' });
    expect(expressions(detailed.widgets)).toContain('SUM(events)');
    expect(expressions(standard.widgets)).toContain('MAX(behindSeconds)');
    for (const metric of ['events', 'lagSeconds', 'providerErrors5xx', 'runMs']) {
      expect(expressions(standard.widgets)).not.toContain(`(${metric})`);
    }
  });

  it('has no empty graphs where there are no destinations', async () => {
    const archiveOnly = await dashboardOf({ organizations: [organization('institution')] });
    expect(titles(archiveOnly.widgets)).not.toContain('Dead letters');
    expect(titles(archiveOnly.widgets).join()).not.toMatch(/Delivery|refused for good/);
    for (const { properties } of archiveOnly.widgets) expect(properties.metrics).not.toStrictEqual([]);
  });
});
