import { asOrglogError } from '../errors.ts';
import { FETCHES_AT_ONCE } from './bounds.ts';
import type { Identity } from './identity.ts';
import { inParallel } from './parallel.ts';
import type { IdentitySource } from './ports.ts';

/** After so many troubles in a row the provider is not asked about the rest: it will not be answered either. */
const TROUBLES = 5;
const ANOTHER = 'asked for one identity, the provider answered with another';

/** What the provider says of identities that seem to have lost something. */
export interface Confirmation {
  /** Identifier → as it is now; `undefined` when the provider has none. Who is missing here was not told of. */
  readonly answers: ReadonlyMap<string, Identity | undefined>;
  /** Why some are missing; absent when none are. */
  readonly trouble?: string;
}

/**
 * Ask about each identity by itself. Only a 404 means that one is gone: any trouble leaves it unknown.
 *
 * @param stop fires when asking is over: what is not answered then is unknown
 */
export async function confirm(
  serviceUids: readonly string[],
  source: Pick<IdentitySource, 'fetch'>,
  stop: AbortSignal,
): Promise<Confirmation> {
  const answers = new Map<string, Identity | undefined>();
  let inARow = 0;
  let trouble: string | undefined;
  await inParallel(serviceUids, FETCHES_AT_ONCE, async (serviceUid) => {
    if (stop.aborted || inARow >= TROUBLES) {
      trouble ??= 'the time that a run has was over';
      return;
    }
    try {
      const answer = await source.fetch(serviceUid, stop);
      inARow = 0;
      // A record of somebody else, as where two were made one, says neither that this one is there nor that it is not.
      if (answer !== undefined && answer.serviceUid !== serviceUid) trouble ??= ANOTHER;
      else answers.set(serviceUid, answer);
    } catch (error) {
      inARow++;
      // It is logged, and who it was about is nobody's business there.
      trouble ??= asOrglogError(error, 'unavailable').message.replaceAll(serviceUid, '…');
    }
  });
  return { answers, ...(trouble !== undefined && { trouble }) };
}
