import type { Operation } from './operation.ts';
import { permissionLines } from './show.ts';

export const permissions: Operation<Record<never, never>> = {
  name: 'permissions',
  summary: 'show what the credential may do',
  examples: ['orglog identities permissions'],
  changes: false,
  flags: () => ({}),
  async run({ api, output, signal }) {
    const found = await api.permissions(signal);
    await output.result(found, (space) => permissionLines(found, space));
  },
};
