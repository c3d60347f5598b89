import { BAD_IDENTITIES } from './bad-identity-settings.ts';
import { destination, manyOrganizations, organization, pushDestination } from './settings-fixture.ts';

const org = organization;
const orgs = (...organizations: object[]) => ({ organizations });
const dests = (...destinations: object[]) => ({ destinations });
const omit = (omission: object) => ({ alarms: { email: 'a@institution.edu', omit: [omission] } });
const consumer = { principal: '111122223333', externalId: 'external-id' };

/** What is wrong, the members that make it so, and what the message must say: path, value, expectation. */
export const BAD: readonly [string, object, ...RegExp[]][] = [
  ['no provider', { provider: undefined }, /\n {2}provider is missing: expected the provider/],
  ['no alarms', { alarms: undefined }, /alarms is missing: expected whom to tell, an object with email/],
  ['no organizations', orgs(), /organizations is \[\]: expected at least one/],
  ['organizations by id', { organizations: { a: {} } }, /organizations is \{"a":\{\}\}: expected a list/],
  [
    'a misspelt setting',
    { organisations: [] },
    /organisations is \[\]: no such setting; expected one of name, /,
  ],
  [
    'an unknown member',
    orgs(org('a', { schedule: 5 })),
    /organizations\[0\]\.schedule is 5: no such setting/,
  ],
  [
    'http',
    { provider: { baseUrl: 'http://api.provider.example' } },
    /provider\.baseUrl is "http.*not encrypted/,
  ],
  [
    'a password',
    { provider: { baseUrl: 'https://u:pw@p.example' } },
    /provider\.baseUrl is not shown.*credentials/,
  ],
  ['a query', { provider: { baseUrl: 'https://p.example/?a=1' } }, /provider\.baseUrl .*query or a hash/],
  ['a base URL that is none', { provider: { baseUrl: 'api' } }, /provider\.baseUrl is "api": .*not a URL/],
  [
    'a relative orgUrl',
    orgs(org('a', { orgUrl: 'a.edu' })),
    /organizations\[0\]\.orgUrl is "a\.edu": expected an abs/,
  ],
  [
    'white space',
    orgs(org('a', { orgUrl: 'https://a.edu/ ' })),
    /organizations\[0\]\.orgUrl is "https:\/\/a\.edu\/ "/,
  ],
  [
    'an orgUrl by ftp',
    orgs(org('a'), org('b', { orgUrl: 'ftp://b.edu/' })),
    /organizations\[1\]\.orgUrl is "ftp/,
  ],
  [
    'no id',
    orgs({ orgUrl: 'https://a.edu/' }),
    /organizations\[0\]\.id is missing: expected the organization's id/,
  ],
  ['an id with a dot', orgs(org('a.b')), /organizations\[0\]\.id is "a\.b": expected .*lower-case/],
  ['an id in capitals', orgs(org('A')), /organizations\[0\]\.id is "A"/],
  ['an id too long', orgs(org('a'.repeat(33))), /organizations\[0\]\.id is "a{33}": .*at most 32/],
  ['an id with a path', orgs(org('../b')), /organizations\[0\]\.id is "\.\.\/b"/],
  [
    'an id twice',
    orgs(org('a'), org('a', { orgUrl: 'https://b.edu/' })),
    /organizations\[1\]\.id is "a": .*organizations\[0\]/,
  ],
  [
    'the same log twice',
    orgs(
      org('a', { filters: { service: 'idp' } }),
      org('b', { orgUrl: 'https://a.edu/', filters: { service: 'idp' } }),
    ),
    /organizations\[1\]\.orgUrl is "https:\/\/a\.edu\/": .*organizations\[0\] reads the same log/,
  ],
  [
    'an odd period',
    orgs(org('a', { everyMinutes: 7 })),
    /organizations\[0\]\.everyMinutes is 7: expected one of 2, 3/,
  ],
  [
    'a period below the recommendation',
    orgs(org('a', { everyMinutes: 2 })),
    /organizations\[0\]\.everyMinutes is 2: expected 5 or more: the provider recommends a delay of at least 5 minutes/,
    /allowFasterThanRecommended/,
  ],
  [
    'a reason that is none',
    orgs(org('a', { everyMinutes: 2, allowFasterThanRecommended: 'yes' })),
    /organizations\[0\]\.allowFasterThanRecommended is "yes": expected a reason/,
  ],
  [
    'an unknown filter',
    orgs(org('a', { filters: { user: 'x' } })),
    /organizations\[0\]\.filters\.user is "x": no such/,
  ],
  [
    'a page too large',
    orgs(org('a', { limit: 1001 })),
    /organizations\[0\]\.limit is 1001: expected at most 1000/,
  ],
  [
    'an unknown choice',
    orgs(org('a', { onStaleToken: 'skip' })),
    /organizations\[0\]\.onStaleToken is "skip"/,
  ],
  [
    '41 in one stack',
    orgs(...manyOrganizations(41).map((one) => ({ ...one, stack: 1 }))),
    /organizations\[40\]\.stack is 1: expected at most 40 .*write "stack": 2/,
  ],
  [
    '41 in the second stack, the first full',
    orgs(...manyOrganizations(81).map((one, index) => ({ ...one, stack: index < 40 ? 1 : 2 }))),
    /organizations\[80\]\.stack is 2: .*write "stack": 3/,
  ],
  ['a stack of no number', orgs(org('a', { stack: 'two' })), /organizations\[0\]\.stack is "two"/],
  ['an unknown SIEM', dests(destination('a', { kind: 'siem' })), /destinations\[0\]\.kind is "siem"/],
  ['a destination twice', dests(destination('a'), destination('a')), /destinations\[1\]\.id is "a"/],
  [
    'eleven destinations',
    dests(...Array.from({ length: 11 }, (_, n) => destination(`d${n}`))),
    /destinations is .*at most 10/,
  ],
  [
    'anyone',
    dests(destination('a', { consumer: { ...consumer, principal: '*' } })),
    /consumer\.principal is "\*"/,
  ],
  [
    'no external id',
    dests(destination('a', { consumer: { principal: '111122223333' } })),
    /consumer\.externalId is missing/,
  ],
  ['a reader of a push queue', dests({ ...pushDestination('a'), consumer }), /destinations\[0\]\.consumer/],
  [
    'a push to nowhere',
    dests(destination('a', { delivery: 'push' })),
    /destinations\[0\]\.push is missing: expected where to send to, an object with url/,
  ],
  [
    'a push without a URL',
    dests(pushDestination('a', 'splunk', { url: undefined })),
    /\[0\]\.push\.url is missing/,
  ],
  [
    'a pull that is told where to send',
    dests({ ...pushDestination('a'), delivery: 'pull' }),
    /destinations\[0\]\.push is \{.*: expected none: it is for delivery "push"/,
  ],
  [
    'a push to no SIEM that is known',
    dests({ ...pushDestination('a'), kind: 'other' }),
    /destinations\[0\]\.kind is "other": expected "splunk" or "elastic"/,
  ],
  [
    'a push over plain HTTP',
    dests(pushDestination('a', 'splunk', { url: 'http://splunk.institution.edu:8088' })),
    /destinations\[0\]\.push\.url is "http:.*https \(http to this machine only\)/,
  ],
  [
    'a push with a credential in the URL',
    dests(pushDestination('a', 'elastic', { url: 'https://elastic:changeme@elastic.institution.edu' })),
    /destinations\[0\]\.push\.url is not shown/,
  ],
  [
    "a setting of the other SIEM's",
    dests(pushDestination('a', 'elastic', { acknowledge: true })),
    /destinations\[0\]\.push\.acknowledge is true: expected none: it is for kind "splunk"/,
  ],
  [
    'an index of none',
    dests(pushDestination('a', 'splunk', { index: '_internal' })),
    /destinations\[0\]\.push\.index is "_internal": expected an index/,
  ],
  [
    'a data stream of no stream',
    dests(pushDestination('a', 'elastic', { dataStream: 'orglog' })),
    /destinations\[0\]\.push\.dataStream is "orglog": .*<type>-<dataset>-<namespace>/,
  ],
  [
    'one function at a time',
    dests(pushDestination('a', 'splunk', { concurrency: 1 })),
    /destinations\[0\]\.push\.concurrency is 1: expected 2 or more/,
  ],
  [
    'an authority that is not there',
    dests(pushDestination('a', 'splunk', { privateCa: 'no-such-file.pem' })),
    /destinations\[0\]\.push\.privateCa is "no-such-file\.pem": expected a file that can be read/,
  ],
  [
    'an authority that is none',
    dests(pushDestination('a', 'splunk', { privateCa: 'package.json' })),
    /destinations\[0\]\.push\.privateCa is "package\.json": expected a file with a certificate in PEM/,
  ],
  [
    'an alarm of push for one who pulls',
    {
      ...dests(destination('a')),
      ...omit({ alarm: 'delivery-halted', destination: 'a', reason: 'nobody reads it' }),
    },
    /alarms\.omit\[0\]\.destination is "a": .*each destination with delivery "push"/,
  ],
  [
    'an archive of a week',
    { retention: { archiveDays: 7 } },
    /retention\.archiveDays is 7: expected 30 or more/,
  ],
  [
    'expiry before the move',
    { retention: { archiveDays: 60, infrequentAccessAfterDays: 90 } },
    /retention\.archiveDays is 60: .*\(90\)/,
  ],
  [
    'days nobody offers',
    { retention: { logDays: 100 } },
    /retention\.logDays is 100: expected what CloudWatch/,
  ],
  ['no address', { alarms: { email: 'security' } }, /alarms\.email is "security": expected an e-mail/],
  [
    'an omission without a reason',
    omit({ alarm: 'lag' }),
    /alarms\.omit\[0\]\.reason is missing: expected a reason/,
  ],
  [
    'an unknown alarm',
    omit({ alarm: 'noise', reason: 'nobody reads it' }),
    /alarms\.omit\[0\]\.alarm is "noise"/,
  ],
  [
    'an omission for nobody',
    omit({ alarm: 'lag', organization: 'b', reason: 'nobody reads it' }),
    /alarms\.omit\[0\]\.organization is "b": expected an id that is among the organizations of/,
  ],
  ...BAD_IDENTITIES,
  ["a tag of AWS's own", { tags: { 'aws:name': 'x' } }, /tags\.aws:name/],
  ['a name in capitals', { name: 'OrgLog' }, /name is "OrgLog": expected a name/],
];
