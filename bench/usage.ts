import * as z from 'zod';

const usage = z.object({
  wallMs: z.number(),
  /** User and system time of the whole process, its threads included. */
  cpuMs: z.number(),
  peakRssBytes: z.number(),
  /** What was done, for checks: both sides must have done the same. */
  pages: z.number(),
  storedBytes: z.number(),
});

/** What a measured process reports: the one JSON line that it prints. */
export type Usage = z.infer<typeof usage>;

/** Runs `work` and prints what it took. Nothing before it counts, but for the peak of memory. */
export async function measureUsage(
  work: () => Promise<{ readonly pages: number; readonly storedBytes: number }>,
): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const done = await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  // maxRSS is in KiB.
  const peakRssBytes = process.resourceUsage().maxRSS * 1024;
  const report: Usage = { wallMs, cpuMs: (user + system) / 1000, peakRssBytes, ...done };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

export function parseUsage(line: string): Usage {
  return usage.parse(JSON.parse(line));
}
