import { describe, expect, it } from 'vitest';
import {
  ALARMS,
  DESTINATION_ALARMS,
  IDENTITY_ALARMS,
  PUSH_ALARMS,
} from '../../infra/settings/alarm-names.ts';
import { commandsOf, entriesOf, RUNBOOK } from '../runbook/entries.ts';
import { alarm } from './every-alarm.ts';
import { asText } from './intrinsics.ts';
import { property } from './synthesize.ts';

describe('docs/runbook.md', () => {
  it('begins each entry with the command that the alarm gives', () => {
    const about = (kind: string) => {
      if (PUSH_ALARMS.some((one) => one === kind)) return 'hec';
      if (IDENTITY_ALARMS.some((one) => one === kind)) return 'institution/prod';
      return DESTINATION_ALARMS.some((one) => one === kind) ? 'splunk' : 'institution';
    };
    const plain = (command: string) =>
      command
        .replace(/eu-central-1|<region>/, 'R')
        .replace(/123456789012|<account>/, 'A')
        .replaceAll('signins', 'orglog')
        .replace(/^npm run -s orglog -- (.*?)( --stack orglog)?$/, 'orglog $1')
        .replace('deliver-hec', 'deliver-splunk');
    const entries = entriesOf(RUNBOOK);
    for (const kind of ALARMS) {
      const located = alarm(`${about(kind)}/${kind}`);
      const described = asText(property(located, 'AlarmDescription'), located.template);
      const [, first = ''] = /^First: (.*)$/m.exec(described) ?? [];
      const [block] = entries.get(kind)?.blocks ?? [];
      const written = block === undefined ? [] : commandsOf(block).map(plain);
      expect(written).toContain(plain(first));
    }
  });
});
