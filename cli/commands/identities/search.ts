import { some } from '../../format.ts';
import { printable } from '../../text.ts';
import { addEnvironment, environment } from './flags.ts';
import type { Operation } from './operation.ts';

const flags = { environment };

export const search: Operation<typeof flags> = {
  name: 'search',
  summary: 'find identities by a part of a name or an e-mail address',
  about: 'Prints identifiers, one a line. Collections are searched as well.',
  operand: ['term', 'a part of a name or an e-mail address'],
  examples: [
    'orglog identities search lovelace',
    'orglog identities search ada@ | xargs -n 1 orglog identities fetch',
  ],
  changes: false,
  json: 'one JSON document, for programs: an array of strings',
  options: addEnvironment,
  flags: () => flags,
  async run({ api, output, signal }, { environment }, term) {
    const found = await api.search(environment, term, signal);
    await output.result(found, () => found.map(printable));
    if (!output.json) {
      output.note(
        `${some(found.length, 'identity', 'identities')} of ${environment} with ${JSON.stringify(term)}`,
      );
    }
  },
};
