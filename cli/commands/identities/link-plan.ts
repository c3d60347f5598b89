import type { CredentialInput } from '../../../functions/core/identities/identities-api.ts';
import type { AttributeCollection } from '../../../functions/core/identities/identity.ts';
import type { Plan } from '../../confirm.ts';
import { factLines } from '../../table.ts';
import { linkOf, lookUp } from './look-up.ts';
import type { Work } from './operation.ts';
import { inWords } from './show.ts';

type Fact = readonly [name: string, value: string | readonly string[]];

export interface LinkPlan {
  /** What happens, for example `links a remote credential to an identity`. */
  readonly does: string;
  readonly serviceUid: string;
  readonly link?: CredentialInput;
  /** More about it, knowing what is linked now (undefined: not linked, or it may not be read). */
  readonly facts?: (now: AttributeCollection | undefined) => readonly Fact[];
}

/** The plan of a change to what is linked to an identity, which is named where it may be read. */
export async function linkPlan(work: Work, canLook: boolean, plan: LinkPlan): Promise<Plan> {
  const { does, serviceUid, link, facts } = plan;
  const identity = canLook ? await lookUp(work, serviceUid) : undefined;
  const now = link === undefined ? undefined : linkOf(identity, link);
  const all: Fact[] = [
    ['serviceUid', serviceUid],
    ...(identity === undefined ? [] : [['identity', inWords(identity)] as const]),
    ...(link === undefined
      ? []
      : ([
          ['authority', link.authority],
          ['uid', link.uid],
        ] as const)),
    ...(facts?.(now) ?? []),
  ];
  return { title: `This ${does} at ${work.address}:`, lines: (space) => factLines(all, space) };
}
