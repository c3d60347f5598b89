import {
  DEEPEST_LOG_DATA,
  LONGEST_KEY,
  LONGEST_TEXT,
  SEPARATOR,
} from '../../../functions/core/ecs/log-data.ts';
import { LISTED_PAIRS, type Meaning, UNLISTED } from '../../../functions/core/vocabulary.ts';

/** A `script` processor's Painless and its parameters. */
export interface Script {
  readonly source: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Whether a field of type `flattened` takes a value: functions/core/ecs/log-data.ts. The Painless here and below keeps to
 * what JavaScript has too, so that the tests can run it: see test/siem/elastic-ingest.ts.
 */
export const FITS = `boolean fits(def value, int depth, def limits) {
  if (value instanceof String) {
    return value.length() <= limits.text;
  }
  if (value instanceof Map) {
    if (depth == 0) {
      return false;
    }
    for (def key : value.keySet()) {
      if (key.length() > limits.key || key.indexOf(limits.separator) >= 0) {
        return false;
      }
      if (!fits(value[key], depth - 1, limits)) {
        return false;
      }
    }
  } else if (value instanceof List) {
    if (depth == 0) {
      return false;
    }
    for (def item : value) {
      if (!fits(item, depth - 1, limits)) {
        return false;
      }
    }
  }
  return true;
}
`;
export const FITTING = {
  depth: DEEPEST_LOG_DATA,
  limits: { key: LONGEST_KEY, text: LONGEST_TEXT, separator: SEPARATOR },
};

/** Attributes of `logData` that may have several values, of which the first stands for all. */
const ATTRIBUTES: readonly string[] = [
  'uid',
  'eppn',
  'mail',
  'user',
  'cas_client_ip',
  'spEntityId',
  'spentityid',
  'cas_service',
  'client_id',
  'sp',
  'error',
  'reason',
];

/** `ctx.said`: what `logData` says, one value each. */
export const READ_LOG_DATA: Script = {
  source: `def first(def value) {
  if (value instanceof List) {
    return value.isEmpty() ? null : value[0];
  }
  return value;
}
${FITS}ctx.said = new HashMap();
def data = ctx.json.logData;
if (data instanceof Map) {
  ctx.said.fits = fits(data, params.depth, params.limits);
  for (def key : params.attributes) {
    ctx.said[key] = first(data[key]);
  }
  def eppn = ctx.said.eppn;
  if (eppn instanceof String) {
    def at = eppn.indexOf('@');
    if (at >= 0 && at < eppn.length() - 1) {
      ctx.said.domain = eppn.substring(at + 1);
    }
  }
}`,
  params: {
    attributes: ATTRIBUTES,
    ...FITTING,
  },
};

/** The vocabulary. */
export const CATEGORIZE: Script = {
  source: `def meaning = params.meanings[params.unlisted];
if (ctx.json != null && ctx.json.logType instanceof String && ctx.json.logSubtype instanceof String) {
  def name = params.pairs[ctx.json.logType + '/' + ctx.json.logSubtype];
  if (name != null) {
    meaning = params.meanings[name];
  }
}
if (!meaning.category.isEmpty()) {
  ctx.event.category = new ArrayList(meaning.category);
  ctx.event.type = new ArrayList(meaning.type);
}
ctx.event.outcome = meaning.outcome;
ctx.orglog.sign_in = meaning.sign_in;`,
  params: {
    unlisted: nameOf(UNLISTED),
    meanings: Object.fromEntries(
      [UNLISTED, ...LISTED_PAIRS.map(({ meaning }) => meaning)].map((meaning) => [
        nameOf(meaning),
        {
          category: meaning.ecs.category,
          type: meaning.ecs.type,
          outcome: meaning.ecs.outcome,
          sign_in: meaning.signIn,
        },
      ]),
    ),
    pairs: Object.fromEntries(
      LISTED_PAIRS.map(({ logType, logSubtype, meaning }) => [`${logType}/${logSubtype}`, nameOf(meaning)]),
    ),
  },
};

function nameOf({ activity, outcome }: Meaning): string {
  return `${activity} ${outcome}`;
}
