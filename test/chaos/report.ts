import Table from 'cli-table3';
import type { Finding } from './audit.ts';
import type { Incident } from './plan.ts';

/** What a run found, as a table. */
export function printFindings(title: string, plan: readonly Incident[], findings: readonly Finding[]): void {
  const counts = Object.entries(Object.groupBy(plan, ({ kind }) => kind));
  const incidents = counts.map(([kind, all]) => `${all.length} ${kind}`).join(', ');
  const table = new Table({
    head: ['', 'expected', 'there', 'lost', 'repeats', 'unexplained', 'sound'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [] },
  });
  for (const { what, expected, found, repeats, unexplained, isSound } of findings) {
    const lost = Math.max(0, expected - found);
    table.push([what, expected, found, lost, repeats, unexplained, isSound ? 'yes' : 'NO']);
  }
  console.log(`\n${title}\n${plan.length} incidents: ${incidents}\n${table}`);
  for (const { what, notes } of findings) if (notes.length > 0) console.log(`${what}: ${notes.join('; ')}`);
}
