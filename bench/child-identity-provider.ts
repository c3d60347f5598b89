/**
 * The provider stand-in with many identities, in a process of its own. Parameter: how many. Prints its URL; each line of
 * its standard input is how late its answers are from then on, in ms, and is repeated once it holds; ends with the input.
 */
import { createInterface } from 'node:readline';
import { allAuthorities } from '../local/provider/identities/authorities.ts';
import { startProvider } from '../local/provider/server.ts';

const orgUrl = 'https://institution.edu/';
const permitted = {
  permissions: ['read'],
  customerUidKeys: [],
  attributeAuthorities: allAuthorities(orgUrl),
};
const provider = await startProvider({
  file: ':memory:',
  organizations: [{ orgUrl, orgDomain: 'institution.edu' }],
  credentials: [
    {
      username: 'bench',
      password: 'bench',
      orgUrls: [orgUrl],
      identities: { orgDomain: 'institution.edu', environments: { prod: permitted }, obid: ['read'] },
    },
  ],
});
provider.identities.seed(orgUrl, { environment: 'prod', count: Number(process.argv[2]), seed: 1 });
console.log(JSON.stringify({ url: provider.url }));
for await (const line of createInterface({ input: process.stdin })) {
  provider.faults.clear();
  provider.faults.add({ kind: 'delay', delayMs: Number(line) }, { times: Number.POSITIVE_INFINITY });
  console.log(line);
}
await provider.close();
