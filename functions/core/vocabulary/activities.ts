import type { CimMeaning, EcsMeaning, OcsfMeaning, Outcome } from './dialects.ts';

/**
 * What an event tells of, whichever system wrote it:
 *
 * - `attempt`: credentials were accepted or refused. **The only activity that counts as a sign-in.**
 * - `begun`: somebody arrived to sign in; nothing is decided yet.
 * - `step`: a part of a sign-in whose end another event tells (a first factor proven, a code sent or accepted).
 * - `sign-out`: a session ended.
 * - `portal`: somebody opened the account pages with a session they had.
 * - `exchange`: an application asked about a sign-in that had happened (ticket validation, token, userinfo).
 * - `account-request`: a change to an account was asked for.
 * - `account-change`, `password-change`, `account-creation`: it was made, or was refused.
 * - `mail-progress`: a message on its way.
 * - `mail-result`: it left, or it did not.
 * - `unlisted`: the pair holds a value that the document does not list.
 */
export type Activity =
  | 'attempt'
  | 'begun'
  | 'step'
  | 'sign-out'
  | 'portal'
  | 'exchange'
  | 'account-request'
  | 'account-change'
  | 'password-change'
  | 'account-creation'
  | 'mail-progress'
  | 'mail-result'
  | 'unlisted';

interface Categories {
  readonly category: EcsMeaning['category'];
  readonly type: EcsMeaning['type'];
  readonly ocsf: Pick<OcsfMeaning, 'classUid' | 'activityId'>;
}

/**
 * Elastic's rules and machine-learning jobs count `event.category: authentication` with an outcome of success or
 * failure: that is why steps and sign-outs, whose outcome is known too, are in `session`, and exchanges in `web`.
 */
const CATEGORIES: Readonly<Record<Activity, Categories>> = {
  attempt: { category: ['authentication'], type: ['start'], ocsf: { classUid: 3002, activityId: 1 } },
  begun: { category: ['authentication'], type: ['info'], ocsf: { classUid: 3002, activityId: 6 } },
  step: { category: ['session'], type: ['info'], ocsf: { classUid: 3002, activityId: 6 } },
  'sign-out': { category: ['session'], type: ['end'], ocsf: { classUid: 3002, activityId: 2 } },
  portal: { category: ['session'], type: ['start'], ocsf: { classUid: 3002, activityId: 99 } },
  exchange: { category: ['web'], type: ['access'], ocsf: { classUid: 6003, activityId: 2 } },
  'account-request': { category: ['iam'], type: ['user', 'info'], ocsf: { classUid: 3001, activityId: 99 } },
  'account-change': { category: ['iam'], type: ['user', 'change'], ocsf: { classUid: 3001, activityId: 99 } },
  'password-change': { category: ['iam'], type: ['user', 'change'], ocsf: { classUid: 3001, activityId: 3 } },
  'account-creation': {
    category: ['iam'],
    type: ['user', 'creation'],
    ocsf: { classUid: 3001, activityId: 1 },
  },
  'mail-progress': { category: ['email'], type: ['info'], ocsf: { classUid: 4009, activityId: 1 } },
  'mail-result': { category: ['email'], type: ['info'], ocsf: { classUid: 4009, activityId: 1 } },
  unlisted: { category: [], type: [], ocsf: { classUid: 0, activityId: 0 } },
};

const STATUS = { unknown: 0, success: 1, failure: 2 } as const;

export function ecsOf(activity: Activity, outcome: Outcome): EcsMeaning {
  const { category, type } = CATEGORIES[activity];
  const failedExchange = activity === 'exchange' && outcome === 'failure';
  return { kind: 'event', category, type: failedExchange ? ['error'] : type, outcome };
}

export function ocsfOf(activity: Activity, outcome: Outcome): OcsfMeaning {
  return { ...CATEGORIES[activity].ocsf, statusId: STATUS[outcome] };
}

/** `undefined`: in no data model. `faulty`: the attempt ended in a fault rather than a refusal. */
export function cimOf(activity: Activity, outcome: Outcome, faulty: boolean): CimMeaning | undefined {
  if (outcome === 'unknown') return undefined;
  switch (activity) {
    case 'attempt':
      return { model: 'Authentication', tags: ['authentication'], action: faulty ? 'error' : outcome };
    case 'account-creation':
      return changed('created', outcome);
    case 'account-change':
    case 'password-change':
      return changed('modified', outcome);
    case 'mail-result':
      return {
        model: 'Email',
        tags: ['email', 'delivery'],
        action: outcome === 'success' ? 'delivered' : 'failed',
        status: outcome,
      };
    default:
      return undefined;
  }
}

function changed(action: 'created' | 'modified', status: 'success' | 'failure'): CimMeaning {
  return {
    model: 'Change',
    tags: ['change', 'account'],
    action,
    status,
    changeType: 'AAA',
    objectCategory: 'user',
  };
}
