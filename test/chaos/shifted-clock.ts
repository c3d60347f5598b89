/**
 * Loaded before a process of chaos (`--import`): its `Date` is ahead of the machine's, or behind it, by as many
 * milliseconds as the file that CHAOS_CLOCK_FILE names says. Timers go on as they are: they know no date either when a
 * machine's clock is set.
 */
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 20;
const Real = Date;
const real = Date.now;
const file = process.env.CHAOS_CLOCK_FILE ?? '';
let offsetMs = 0;
let lookedAt = Number.NEGATIVE_INFINITY;

function now(): number {
  if (performance.now() - lookedAt > LOOK_EVERY_MS) {
    lookedAt = performance.now();
    offsetMs = offsetIn(file);
  }
  return real() + offsetMs;
}

function offsetIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

Real.now = now;
globalThis.Date = new Proxy(Real, {
  construct: (target, parts: []) => Reflect.construct(target, parts.length === 0 ? [now()] : parts),
});
