/**
 * The test suites against real services on this machine: `npm run test:services`, or with names to run some of them:
 * `npm run test:services -- moto versitygw`. What cannot be had here is skipped, and said so. Nothing of this is
 * needed to use orglog, or by `npm test`.
 */
import { inspect } from 'node:util';
import { CHECKS, type Check } from './checks.ts';
import { Unavailable } from './command.ts';
import { runSuites, type Tally } from './suites.ts';

// Ended from outside, it takes the services with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const asked = process.argv.slice(2).map((name) => name.toLowerCase());
const total = { passed: 0, failed: 0, skipped: 0 };

for (const check of CHECKS) {
  const { name, version } = check.service;
  if (asked.length > 0 && !asked.some((one) => name.toLowerCase().includes(one))) continue;
  const began = Date.now();
  const told = await carryOut(check);
  total.passed += told.passed;
  total.failed += told.failed;
  total.skipped += told.skipped;
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(`${name} ${version}, ${check.about}: ${told.outcome} (${seconds} s)`);
  if (told.passed === 0) continue;
  for (const [test, why] of Object.entries(check.beyond ?? {})) console.log(`  left out: ${test}…: ${why}`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

type Told = Omit<Tally, 'said'> & { readonly outcome: string };

async function carryOut({ service, runs, beyond = {} }: Check): Promise<Told> {
  const counted = { passed: 0, failed: 0, skipped: 0 };
  for (const files of runs) {
    let tally: Tally;
    try {
      tally = await withService(service, files, Object.keys(beyond));
    } catch (error) {
      if (error instanceof Unavailable)
        return { passed: 0, failed: 0, skipped: 1, outcome: `skipped: ${error.message}` };
      tally = { passed: 0, failed: 1, skipped: 0, said: inspect(error) };
    }
    if (tally.said !== '') console.log(tally.said);
    counted.passed += tally.passed;
    counted.failed += tally.failed;
    counted.skipped += tally.skipped;
  }
  const outcome = `${counted.passed} passed, ${counted.failed} failed, ${counted.skipped} skipped`;
  return { ...counted, outcome };
}

async function withService(
  service: Check['service'],
  files: readonly string[],
  beyond: readonly string[],
): Promise<Tally> {
  const { env, down } = await service.up();
  try {
    return await runSuites(files, { ...env, ORGLOG_TEST_AWS: 'wired' }, beyond);
  } finally {
    await down();
  }
}
