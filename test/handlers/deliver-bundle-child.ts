/** Lambda in small: imports the bundle that is named, invokes its handler with the event, prints the answer last. */
import { pathToFileURL } from 'node:url';
import type { DeliverHandler } from '../../functions/handlers/deliver-messages.ts';

const [bundle = '', event = ''] = process.argv.slice(2);
const { handler } = (await import(pathToFileURL(bundle).href)) as { handler: DeliverHandler };
const endsAt = Date.now() + 150_000;
const response = await handler(JSON.parse(event), { getRemainingTimeInMillis: () => endsAt - Date.now() });
console.log(JSON.stringify(response));
