import { CALCULATED_FIELDS } from './calculated-fields.ts';
import { OUTCOME_FIELD, PAIR_FIELDS, VOCABULARY_FIELDS } from './lookup.ts';

const HEAD = `# Made by "npm run generate:siem": change siem/generate/splunk, or lay your own settings into local/props.conf.

# One event a line, as the provider wrote it: {"logType": ..., "timeStampISO": ..., "logData": {...}}
[orglog:event]
category = Application
description = Events of an identity provider's sign-in log
pulldown_type = 1

# How it is indexed: this app is needed where the input runs, and on the indexers.

CHARSET = UTF-8
SHOULD_LINEMERGE = false
LINE_BREAKER = ([\\r\\n]+)
# 0: no event is cut, however long.
TRUNCATE = 0
TIME_PREFIX = "timeStampISO"\\s*:\\s*"
TIME_FORMAT = %Y-%m-%dT%H:%M:%S.%6N%:z
MAX_TIMESTAMP_LOOKAHEAD = 40
TZ = UTC
# The most there is: an archive read again may be years old.
MAX_DAYS_AGO = 10951
# TIME_FORMAT describes one shape, and the log may hold others (Z, another fraction or none): this settles them all.
TRANSFORMS-orglog_time = orglog_time

# How it is searched.

KV_MODE = json

FIELDALIAS-orglog_authentication_service = service AS authentication_service
FIELDALIAS-orglog_user_agent = logData.userAgent AS user_agent
FIELDALIAS-orglog_vendor_account = orgDomain AS vendor_account

LOOKUP-orglog_vocabulary = orglog_vocabulary ${PAIR_FIELDS.join(' ')} OUTPUT ${VOCABULARY_FIELDS.join(' ')}
LOOKUP-orglog_outcome = orglog_outcome ${PAIR_FIELDS.join(' ')} OUTPUT ${OUTCOME_FIELD}

# Calculated fields cannot use one another: hence the repetition. A JSON null is read as the text "null".
`;

/** `props.conf`. */
export function props(): string {
  const fields = Object.entries(CALCULATED_FIELDS).map(
    ([name, expression]) => `EVAL-${name} = ${expression}\n`,
  );
  return `${HEAD}\n${fields.join('\n')}`;
}
