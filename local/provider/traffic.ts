import type { LogEvent } from './event.ts';
import { createRandom, mixSeeds, type Random } from './random.ts';
import { someAddress, someApplication, somebody } from './traffic-cast.ts';
import { busyness, timeOfShare } from './traffic-clock.ts';
import { type Step, someScene } from './traffic-scenes.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Whose log is invented, and from which seed. */
interface TrafficSource {
  readonly seed: number;
  readonly orgUrl: string;
  readonly orgDomain: string;
  /** Default: the first label of `orgDomain`. */
  readonly tenant?: string;
}

export interface TrafficOptions extends TrafficSource {
  /** Epoch ms of the earliest event. */
  readonly fromMs: number;
  /** Epoch ms after the last event. */
  readonly toMs: number;
  /** How many events there are in all. */
  readonly count: number;
}

/** A scene that is being played: everything its remaining events share. */
interface Running {
  dueMs: number;
  /** The order in which scenes began: decides between two that are due at once. */
  readonly order: number;
  readonly steps: readonly Step[];
  at: number;
  readonly clientIP: string;
  readonly correlationId: string;
}

/**
 * Invent a log: exactly `count` events in time order, 500 to 700 bytes each, spread over the span by a daily curve.
 * The same options give the same events, byte for byte. Memory is bound by the sign-ins that are under way.
 */
export function* generateTraffic(options: TrafficOptions): Generator<LogEvent> {
  const { orgUrl, orgDomain, fromMs, toMs, count } = options;
  const tenant = options.tenant ?? orgDomain.split('.', 1)[0] ?? orgDomain;
  const random = createRandom(mixSeeds(options.seed));
  const timeOf = timeOfShare(fromMs, toMs);
  const running = new Agenda();
  let lastMs = fromMs;
  for (let index = 0; index < count; index += 1) {
    const slotMs = timeOf((index + random.next()) / count);
    // Each slot of the curve holds one event: the next one due in a scene under way, or the first of a new one.
    const scene = running.takeDue(slotMs) ?? begin(random, options, slotMs, index);
    const step = scene.steps[scene.at];
    if (step === undefined) throw new Error('a scene without a step left was kept');
    lastMs = Math.max(lastMs, scene.dueMs);
    yield {
      logType: step.logType,
      logSubtype: step.logSubtype,
      timeStampISO: `${new Date(lastMs).toISOString().slice(0, -1)}+00:00`,
      orgDomain,
      orgUrl,
      service: step.service,
      tenant,
      clientIP: scene.clientIP,
      correlationId: scene.correlationId,
      logData: step.logData,
    };
    scene.at += 1;
    const next = scene.steps[scene.at];
    if (next !== undefined) {
      scene.dueMs = lastMs + next.afterMs;
      running.add(scene);
    }
  }
}

function begin(
  random: Random,
  { orgUrl, orgDomain }: TrafficSource,
  startMs: number,
  order: number,
): Running {
  const clientIP = someAddress(random);
  const person = somebody(random, orgDomain);
  const application = someApplication(random, orgDomain);
  const steps = someScene(random)({ random, person, application, clientIP, orgUrl });
  return { dueMs: startMs, order, steps, at: 0, clientIP, correlationId: random.uuid() };
}

/** The scenes under way, the one due first at the root: a binary heap. */
class Agenda {
  readonly #heap: Running[] = [];

  add(scene: Running): void {
    let at = this.#heap.push(scene) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapWhenEarlier(at, parent)) return;
      at = parent;
    }
  }

  /** Remove the scene that is due first, when that is at `timeMs` or before. */
  takeDue(timeMs: number): Running | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > timeMs) return undefined;
    const last = this.#heap.pop();
    if (last === undefined || last === first) return first;
    this.#heap[0] = last;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapWhenEarlier(child, at)) return first;
      at = child;
    }
  }

  #swapWhenEarlier(lower: number, upper: number): boolean {
    const below = this.#heap[lower];
    const above = this.#heap[upper];
    if (below === undefined || above === undefined || !this.#isEarlier(lower, upper)) return false;
    this.#heap[lower] = above;
    this.#heap[upper] = below;
    return true;
  }

  #isEarlier(one: number, other: number): boolean {
    const a = this.#heap[one];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return false;
    return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
  }
}

export interface LiveTrafficOptions extends TrafficSource {
  /** All events up to and including this time (epoch ms) exist already: where to go on. */
  readonly sinceMs: number;
  /**
   * Mean over a day; the daily curve makes it more or less in each hour. Default 3,600: one a second. Starting makes
   * the hour's events again up to `sinceMs`: about a second of work at 360,000.
   */
  readonly eventsPerHour?: number;
}

/** Traffic that goes on for ever. */
export interface LiveTraffic {
  /** The events after those produced so far, up to and including `nowMs`. */
  until(nowMs: number): LogEvent[];
}

/**
 * Traffic to be asked for as time passes. What happens in an hour depends on the seed and the hour alone, so its whole
 * state is one time: after a restart, go on with `sinceMs` = the time of the newest event that was stored.
 */
export function createLiveTraffic(options: LiveTrafficOptions): LiveTraffic {
  const { eventsPerHour = 3600 } = options;
  let sinceMs = options.sinceMs;
  let hourMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS;
  let hour = eventsOf(hourMs);
  let next = hour.next();

  function eventsOf(fromMs: number): Generator<LogEvent> {
    const count = Math.round(eventsPerHour * busyness(fromMs));
    const seed = mixSeeds(options.seed, fromMs);
    return generateTraffic({ ...options, seed, fromMs, toMs: fromMs + HOUR_MS, count });
  }

  return {
    until(nowMs) {
      const events: LogEvent[] = [];
      for (;;) {
        if (next.done) {
          if (hourMs + HOUR_MS > nowMs) break;
          hourMs += HOUR_MS;
          hour = eventsOf(hourMs);
        } else {
          const timeMs = Date.parse(next.value.timeStampISO);
          if (timeMs > nowMs) break;
          if (timeMs > sinceMs) events.push(next.value);
        }
        next = hour.next();
      }
      sinceMs = Math.max(sinceMs, nowMs);
      return events;
    },
  };
}
