import { OrglogError } from '../../../functions/core/errors.ts';

/**
 * What goes wrong at one port call. `before`: the process dies before the call. `after`: it dies once the call took
 * effect. `lost`: the call takes effect but reports failure. `fails`: it does nothing and reports failure. `stalls`:
 * nothing happens until the fuse is released, then it takes effect and the run goes on. `stalls-after`: it takes
 * effect, and its answer waits for the release.
 */
export type Mishap = 'before' | 'after' | 'lost' | 'fails' | 'stalls' | 'stalls-after';

export interface Plan {
  readonly at: number;
  readonly mishap: Mishap;
}

/** Counts every port call of one run, and lets one of them go wrong. A dead run's calls have no effect any more. */
export class Fuse {
  calls = 0;
  private dead = false;
  private readonly plan: Plan | undefined;
  private readonly onCall: (call: number) => void;
  private readonly stalled = Promise.withResolvers<void>();
  private readonly reached = Promise.withResolvers<void>();

  /** @param onCall hears of each call's number before it is made */
  constructor(plan?: Plan, onCall: (call: number) => void = () => {}) {
    this.plan = plan;
    this.onCall = onCall;
  }

  /** Resolves when the run stalls. */
  get whenStalled(): Promise<void> {
    return this.reached.promise;
  }

  release(): void {
    this.stalled.resolve();
  }

  /** A port whose every method goes through this fuse. */
  guard<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.call(() => member.apply(target, args) as Promise<unknown>);
      },
    });
  }

  private async call<T>(effect: () => Promise<T>): Promise<T> {
    const call = this.calls++;
    if (this.dead) throw crash();
    this.onCall(call);
    if (call !== this.plan?.at) return effect();
    switch (this.plan.mishap) {
      case 'before':
        this.dead = true;
        throw crash();
      case 'after':
        await effect().catch(() => {});
        this.dead = true;
        throw crash();
      case 'lost':
        await effect();
        throw new OrglogError('storage', 'the answer was lost');
      case 'fails':
        throw new OrglogError('storage', 'the call failed');
      case 'stalls':
        this.reached.resolve();
        await this.stalled.promise;
        return effect();
      case 'stalls-after': {
        const result = await effect();
        this.reached.resolve();
        await this.stalled.promise;
        return result;
      }
    }
  }
}

function crash(): Error {
  return new OrglogError('storage', 'the process is dead');
}
