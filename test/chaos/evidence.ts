import type { Identity } from '../../functions/core/identities/identity.ts';
import type { OperatorArchive, OperatorCursors } from '../../functions/core/operate/ports.ts';
import { startProvider } from '../../local/provider/server.ts';
import type { SinkName } from './plan.ts';
import type { Arrival } from './sinks.ts';
import { ORGANIZATION } from './world.ts';

/** A stretch of time in which a delivery may have been kept from noting what it had done; epoch ms. */
export interface Excuse {
  readonly why: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a world holds at its end. */
export interface Evidence {
  readonly org: string;
  readonly log: readonly string[];
  readonly identities: readonly Identity[];
  readonly cursors: Pick<OperatorCursors, 'read'>;
  readonly archive: OperatorArchive;
  readonly arrivals: Readonly<Record<SinkName, readonly Arrival[]>>;
  /** What the consumer that pulls has, without repeats. */
  readonly pulled: readonly string[];
  readonly deadLetters: number;
  readonly excuses: readonly Excuse[];
}

/** What the provider has in its file, which nobody else may have open. */
export async function stateOfProvider(
  file: string,
): Promise<{ log: readonly string[]; identities: readonly Identity[] }> {
  await using provider = await startProvider({ file, organizations: [ORGANIZATION], credentials: [] });
  const { orgUrl } = ORGANIZATION;
  return { log: [...provider.lines(orgUrl)], identities: [...provider.identities.all(orgUrl, 'prod')] };
}
