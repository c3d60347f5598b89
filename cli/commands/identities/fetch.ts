import { IDENTITY } from './flags.ts';
import type { Operation } from './operation.ts';
import { identityLines } from './show.ts';

export const fetch: Operation<Record<never, never>> = {
  name: 'fetch',
  summary: 'show one identity with its collections',
  operand: IDENTITY,
  examples: ['orglog identities fetch 4f1c0a2e-…', 'orglog identities fetch 4f1c0a2e-… --json | jq .mail'],
  changes: false,
  flags: () => ({}),
  async run({ api, output, signal }, _flags, serviceUid) {
    const identity = await api.fetch(serviceUid, signal);
    await output.result(identity, (space) => identityLines(identity, space));
  },
};
