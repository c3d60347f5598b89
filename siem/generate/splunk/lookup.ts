import { LISTED_PAIRS, type Meaning, type Pair } from '../../../functions/core/vocabulary.ts';
import { csv } from './csv.ts';

/** What an event is looked up by. */
export const PAIR_FIELDS = ['logType', 'logSubtype'] as const;

/** By a lookup of its own, whose default for an unlisted pair is `unknown`. */
export const OUTCOME_FIELD = 'outcome';

/** What a listed pair tells. An event of an unlisted one has none of these fields. */
export const VOCABULARY_FIELDS = [
  'activity',
  'is_signin',
  'cim_model',
  'action',
  'status',
  'change_type',
  'object_category',
  'signature',
] as const;

const COLUMNS = [...PAIR_FIELDS, OUTCOME_FIELD, ...VOCABULARY_FIELDS] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

const TITLES: Readonly<Record<Meaning['activity'], string>> = {
  attempt: 'Sign-in',
  begun: 'Sign-in begun',
  step: 'Step of a sign-in',
  'sign-out': 'Sign-out',
  portal: 'Account pages opened',
  exchange: 'Application asked about a sign-in',
  'account-request': 'Account change asked for',
  'account-change': 'Account change',
  'password-change': 'Password change',
  'account-creation': 'Account creation',
  'mail-progress': 'Mail on its way',
  'mail-result': 'Mail',
  unlisted: 'Unlisted event',
};

/** The vocabulary as a Splunk lookup: one row a listed pair, an empty cell where a dialect says nothing. */
export function lookup(): string {
  return csv(COLUMNS, LISTED_PAIRS.map(rowOf));
}

function rowOf({ logType, logSubtype, meaning }: Pair): Row {
  const { activity, outcome, signIn, cim } = meaning;
  return {
    logType,
    logSubtype,
    outcome,
    activity,
    is_signin: String(signIn),
    cim_model: cim?.model ?? '',
    action: cim?.action ?? '',
    status: cim && 'status' in cim ? cim.status : '',
    change_type: cim && 'changeType' in cim ? cim.changeType : '',
    object_category: cim && 'objectCategory' in cim ? cim.objectCategory : '',
    signature: `${TITLES[activity]} (${logType} ${logSubtype})`,
  };
}
