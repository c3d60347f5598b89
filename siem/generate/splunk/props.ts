import { CALCULATED_FIELDS } from './calculated-fields.ts';
import { FEED_ACTION_FIELD, FEED_FIELDS } from './feed-lookup.ts';
import { IDENTITY_FIELDS } from './identity-fields.ts';
import { OUTCOME_FIELD, PAIR_FIELDS, VOCABULARY_FIELDS } from './lookup.ts';

const HEAD = `# Made by "npm run generate:siem": change siem/generate/splunk, or lay your own settings into local/props.conf.
`;

const INDEXED = `
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
`;

const EVENT = `
# One event a line, as the provider wrote it: {"logType": ..., "timeStampISO": ..., "logData": {...}}
[orglog:event]
category = Application
description = Events of an identity provider's sign-in log
pulldown_type = 1
${INDEXED}# One queue announces both the log and the identity feed: what is of the latter becomes orglog:identity.
TRANSFORMS-orglog_stream = orglog_identity_sourcetype

# How it is searched.

KV_MODE = json

FIELDALIAS-orglog_authentication_service = service AS authentication_service
FIELDALIAS-orglog_user_agent = logData.userAgent AS user_agent
FIELDALIAS-orglog_vendor_account = orgDomain AS vendor_account

LOOKUP-orglog_vocabulary = orglog_vocabulary ${PAIR_FIELDS.join(' ')} OUTPUT ${VOCABULARY_FIELDS.join(' ')}
LOOKUP-orglog_outcome = orglog_outcome ${PAIR_FIELDS.join(' ')} OUTPUT ${OUTCOME_FIELD}

# Calculated fields cannot use one another: hence the repetition. A JSON null is read as the text "null".
`;

const IDENTITY = `
# One line of the identity feed: {"action": ..., "timeStampISO": ..., "serviceUid": ..., "identity": {...}}
[orglog:identity]
category = Application
description = Changes of an identity provider's identity records
pulldown_type = 1
${INDEXED}
# How it is searched.

KV_MODE = json

# "action" is CIM's, by the lookup; the feed's own is feed_action.
FIELDALIAS-orglog_feed_action = action AS ${FEED_ACTION_FIELD}
FIELDALIAS-orglog_command = action AS command
FIELDALIAS-orglog_signature_id = action AS signature_id
FIELDALIAS-orglog_user_id = serviceUid AS user_id
FIELDALIAS-orglog_object_id = serviceUid AS object_id
FIELDALIAS-orglog_vendor_account = org AS vendor_account

LOOKUP-orglog_feed = orglog_feed ${FEED_ACTION_FIELD} OUTPUT ${FEED_FIELDS.join(' ')}
`;

/** `props.conf`. */
export function props(): string {
  return `${HEAD}${EVENT}\n${calculated(CALCULATED_FIELDS)}${IDENTITY}\n${calculated(IDENTITY_FIELDS)}`;
}

function calculated(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, expression]) => `EVAL-${name} = ${expression}\n`)
    .join('\n');
}
