/** Lambda in small: imports the bundle that is named, invokes its handler once, prints the report as its last line. */
import { pathToFileURL } from 'node:url';
import type { CollectHandler } from '../../functions/handlers/collect.ts';
import type { SyncHandler } from '../../functions/handlers/sync-identities.ts';

const [bundle = ''] = process.argv.slice(2);
const { handler } = (await import(pathToFileURL(bundle).href)) as { handler: CollectHandler | SyncHandler };
const endsAt = Date.now() + 240_000;
const report = await handler(
  {},
  { awsRequestId: crypto.randomUUID(), getRemainingTimeInMillis: () => endsAt - Date.now() },
);
console.log(JSON.stringify(report));
