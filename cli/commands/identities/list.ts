import { z } from 'zod';
import type {
  IdentitiesApi,
  ListByCollectionOptions,
  ListOptions,
  PageOptions,
} from '../../../functions/core/identities/identities-api.ts';
import type { IdentityPage } from '../../../functions/core/identities/identity.ts';
import { whole } from '../../flags.ts';
import { count, some } from '../../format.ts';
import { progressLine } from '../../progress.ts';
import { addEnvironment, environment, text } from './flags.ts';
import type { Operation, Work } from './operation.ts';
import { identityTable } from './show.ts';

const SORT_KEYS = ['serviceUid', 'sn', 'givenName', 'mail', 'createTime', 'lastUpdateTime'] as const;
const LONGEST_PAGE = 50;

const flags = {
  environment,
  page: whole(1, 1_000_000_000).optional(),
  pageSize: whole(1, LONGEST_PAGE).optional(),
  sort: z
    .enum([...SORT_KEYS, 'id'], `expected one of ${SORT_KEYS.join(', ')}; with --authority also id`)
    .optional(),
  order: z.enum(['asc', 'desc'], 'expected asc or desc').optional(),
  search: text('a part of a name or an e-mail address').optional(),
  authority: text('the identifier of an authority').optional(),
  uid: text('an identifier within the authority').optional(),
  all: z.boolean().default(false),
};

type Flags = z.output<z.ZodObject<typeof flags>>;

/** Either list, all but the page chosen. */
type AskForPage = (options: PageOptions, signal: AbortSignal) => Promise<IdentityPage>;

export const list: Operation<typeof flags> = {
  name: 'list',
  summary: 'list identities, a page or all of them',
  about:
    'With --authority: those that hold a collection of that authority, with their\n' +
    'collections in --json.',
  examples: [
    'orglog identities list --sort lastUpdateTime --order desc',
    'orglog identities list --authority https://hr.institution.edu --uid 4711',
    'orglog identities list --all --json | jq -r .mail',
  ],
  changes: false,
  json: 'one JSON document; with --all NDJSON, an identity a line',
  options(command) {
    addEnvironment(command);
    command
      .option('--page <n>', 'which page (default: 1)')
      .option('--page-size <n>', 'identities on a page, 1 to 50 (default: 10; --all: 50)')
      .option('--all', 'every page, one after the other')
      .option('--sort <key>', 'for example sn, mail or createTime (default)')
      .option('--order <order>', 'asc (default) or desc')
      .option('--search <term>', 'only those with this term')
      .option('--authority <id>', 'only those with a collection of this authority')
      .option('--uid <id>', 'only those with this one of the collections');
  },
  flags: () => flags,
  faults: ({ uid, authority, search, sort, page, all }) => [
    ...(uid !== undefined && authority === undefined
      ? ['--uid: expected together with --authority only']
      : []),
    ...(search !== undefined && authority !== undefined
      ? ['--search: expected without --authority: the provider offers one or the other']
      : []),
    ...(sort === 'id' && authority === undefined
      ? ['--sort "id": expected together with --authority only']
      : []),
    ...(page !== undefined && all !== undefined ? ['--page: expected without --all'] : []),
  ],
  async run(work, flags) {
    if (flags.all) await listAll(work, flags);
    else await listPage(work, flags);
  },
};

async function listPage({ api, output, signal }: Work, flags: Flags): Promise<void> {
  const page = await asker(api, flags)(flags.page === undefined ? {} : { pageIndex: flags.page }, signal);
  const { items, totalItems, pageIndex, pageCount } = page;
  await output.result(page, (space) => identityTable(flags.authority, space).lines(items));
  if (output.json) return;
  if (totalItems === 0) {
    output.note(`no identities in ${flags.environment}`);
    return;
  }
  const more = pageIndex < pageCount ? `; --page ${pageIndex + 1} shows more, --all everything` : '';
  output.note(
    `page ${count(pageIndex)} of ${count(pageCount)}, ${some(totalItems, 'identity', 'identities')} in ${flags.environment}${more}`,
  );
}

async function listAll({ api, output, signal, world }: Work, flags: Flags): Promise<void> {
  const { pagesOf } = await import('../../../functions/adapters/identities/pages.ts');
  const table = identityTable(flags.authority, output.space);
  let listed = 0;
  {
    // Where the rows themselves show how it goes, a second display would be between them.
    using progress = output.live ? undefined : progressLine(world.err);
    for await (const page of pagesOf(asker(api, flags), pageSizeOf(flags), signal)) {
      if (output.json) await output.records(page.items);
      else await output.lines(table.lines(page.items));
      if (output.closed) return;
      listed += page.items.length;
      progress?.show(`${count(listed)} of ${some(page.totalItems, 'identity', 'identities')}`);
    }
  }
  if (!output.json) output.note(`${some(listed, 'identity', 'identities')} in ${flags.environment}`);
}

function asker(api: IdentitiesApi, flags: Flags): AskForPage {
  const { environment, order, sort, search, authority, uid } = flags;
  const common = { environment, ...pageSizeOf(flags), ...(order !== undefined && { sortOrder: order }) };
  if (authority !== undefined) {
    const options: ListByCollectionOptions = {
      ...common,
      authority,
      ...(uid !== undefined && { uid }),
      ...(sort !== undefined && { sortKey: sort }),
    };
    return (page, signal) => api.listByCollection({ ...options, ...page }, signal);
  }
  const options: ListOptions = {
    ...common,
    ...(sort !== undefined && sort !== 'id' && { sortKey: sort }),
    ...(search !== undefined && { searchTerm: search }),
  };
  return (page, signal) => api.list({ ...options, ...page }, signal);
}

function pageSizeOf({ pageSize }: Flags): PageOptions {
  return pageSize === undefined ? {} : { pageSize };
}
