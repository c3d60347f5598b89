import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ALARMS,
  DESTINATION_ALARMS,
  IDENTITY_ALARMS,
  PUSH_ALARMS,
} from '../../infra/settings/alarm-names.ts';
import { alarm } from './every-alarm.ts';
import { asText } from './intrinsics.ts';
import { property } from './synthesize.ts';

describe('docs/runbook.md', () => {
  const text = readFileSync('docs/runbook.md', 'utf8');
  const entries = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry]),
  );

  it('has an entry for each alarm under its name, and no others', () => {
    expect([...entries.keys()].filter((name) => name !== 'Where to look')).toStrictEqual(ALARMS);
  });

  it.each(ALARMS)(
    'says of %s what it means, how urgent it is, the first command, causes and cures',
    (kind) => {
      const entry = entries.get(kind) ?? '';
      const parts = ['Means', 'Urgency', 'First', 'Causes and cures'].map((part) =>
        entry.indexOf(`**${part}**`),
      );
      expect(parts.every((at, index) => at > (parts[index - 1] ?? 0))).toBe(true);
      expect(entry.slice(parts[2], parts[3])).toMatch(/```sh\naws /);
    },
  );

  it('begins with the command that the alarm gives', () => {
    const about = (kind: string) => {
      if (PUSH_ALARMS.some((one) => one === kind)) return 'hec';
      if (IDENTITY_ALARMS.some((one) => one === kind)) return 'institution/prod';
      return DESTINATION_ALARMS.some((one) => one === kind) ? 'splunk' : 'institution';
    };
    const plain = (command: string) =>
      command
        .replace(/ \\\n\s*/, ' ')
        .replace(/eu-central-1|<region>/, 'R')
        .replace(/123456789012|<account>/, 'A')
        .replaceAll('signins', 'orglog')
        .replace('deliver-hec', 'deliver-splunk');
    for (const kind of ALARMS) {
      const located = alarm(`${about(kind)}/${kind}`);
      const described = asText(property(located, 'AlarmDescription'), located.template);
      const [, first = ''] = /^First: (.*)$/m.exec(described) ?? [];
      const [, written = ''] =
        /\*\*First\*\*[\s\S]*?```sh\n([\s\S]*?)\n```/.exec(entries.get(kind) ?? '') ?? [];
      expect(plain(written)).toBe(plain(first));
    }
  });

  it('links only to what it has', () => {
    const anchors = new Set([...entries.keys()].map((name) => name.toLowerCase().replaceAll(' ', '-')));
    const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => !anchors.has(anchor ?? ''))).toStrictEqual([]);
  });
});
