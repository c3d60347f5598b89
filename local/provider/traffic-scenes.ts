import type { LogSubtype, LogType, Service } from './event.ts';
import type { Random } from './random.ts';
import { type Application, type Person, someAgent } from './traffic-cast.ts';

/** One event of a scene, `afterMs` after the one before it. */
export interface Step {
  readonly afterMs: number;
  readonly logType: LogType;
  readonly logSubtype: LogSubtype;
  readonly service: Service;
  readonly logData: Readonly<Record<string, unknown>>;
}

/** Who does what from where. */
interface Setting {
  readonly random: Random;
  readonly person: Person;
  readonly application: Application;
  readonly clientIP: string;
  readonly orgUrl: string;
}

/** Everything that happens under one correlationId, in order. */
export type Scene = (setting: Setting) => Step[];

const MINUTE_MS = 60_000;

/** A scene with how often it is played. */
const SCENES: readonly (readonly [weight: number, scene: Scene])[] = [
  [50, samlSignIn],
  [20, casSignIn],
  [15, oidcSignIn],
  [5, mailOut],
  [6, passwordChange],
  [2, accountCreated],
  [2, accountManaged],
];
const TOTAL = SCENES.reduce((sum, [weight]) => sum + weight, 0);

/** Choose a scene by its weight. */
export function someScene(random: Random): Scene {
  let at = random.next() * TOTAL;
  for (const [weight, scene] of SCENES) {
    at -= weight;
    if (at < 0) return scene;
  }
  return samlSignIn;
}

function samlSignIn(setting: Setting): Step[] {
  return [
    step(900, 'authentication', 'request', 'proxy', { ...atSp(setting), ...visitor(setting) }),
    ...prove(setting),
    ...leave(setting, 'authentication', 'proxy', { ...subject(setting), ...atSp(setting) }),
  ];
}

function casSignIn(setting: Setting): Step[] {
  const { random, application, clientIP } = setting;
  const cas = { cas_service: application.casService, cas_client_ip: clientIP };
  const known = { ...subject(setting), ...cas };
  const ticket = `ST-${random.whole(1, 99_999)}-${random.hex(20)}`;
  const check = random.pick(['serviceValidate', 'serviceValidate', 'validate', 'samlValidate']);
  return [
    step(700, 'cas', 'login', 'gateway', { ...cas, ...visitor(setting), renew: random.chance(0.1) }),
    ...prove(setting),
    step(random.whole(150, 900), 'cas', check, 'gateway', { ...known, ticket }),
    ...leave(setting, 'cas', 'gateway', known),
  ];
}

function oidcSignIn(setting: Setting): Step[] {
  const { random, application } = setting;
  const client = {
    client_id: application.clientId,
    redirect_uri: application.redirectUri,
    scope: 'openid profile email',
  };
  const known = { ...subject(setting), ...client };
  return [
    step(600, 'oidc', 'authorize', 'bridge', { ...client, ...visitor(setting), response_type: 'code' }),
    ...prove(setting),
    step(random.whole(100, 600), 'oidc', 'token', 'bridge', { ...known, grant_type: 'authorization_code' }),
    step(random.whole(1, 20), 'oidc', 'idToken', 'bridge', {
      ...known,
      acr: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    }),
    ...(random.chance(0.7) ? [step(random.whole(40, 800), 'oidc', 'userinfo', 'bridge', known)] : []),
    ...leave(setting, 'oidc', 'bridge', known),
  ];
}

/** A notice sent by mail. */
function mailOut(setting: Setting): Step[] {
  return mail(setting, 'sign-in-notice');
}

function passwordChange(setting: Setting): Step[] {
  const { random } = setting;
  const known = { ...subject(setting), method: 'mail' };
  const asked = step(400, 'password', 'request', 'idp', known);
  if (random.chance(0.1)) return [asked, step(30, 'password', 'noEmail', 'idp', { ...known, mail: null })];
  const outcome = random.pick(['success', 'success', 'success', 'expiredCode', 'invalidCode', 'failure']);
  return [
    asked,
    ...mail(setting, 'password-reset'),
    step(random.whole(20, 400) * 1000, 'password', outcome, 'idp', known),
  ];
}

function accountCreated(setting: Setting): Step[] {
  const { random } = setting;
  const record = { ...subject(setting), source: random.pick(['registrar', 'personnel', 'guest']) };
  return [
    step(300, 'create', 'request', 'idGeneration', record),
    ...(random.chance(0.05)
      ? [step(220, 'create', 'error', 'idGeneration', { ...record, error: 'identifier is taken' })]
      : [step(220, 'create', 'success', 'idGeneration', record), ...mail(setting, 'welcome')]),
  ];
}

function accountManaged(setting: Setting): Step[] {
  const known = { ...subject(setting), page: setting.random.pick(['profile', 'devices', 'recovery']) };
  return [
    step(500, 'account', 'login', 'idp', known),
    step(setting.random.whole(5, 90) * 1000, 'account', 'manage', 'idp', known),
  ];
}

/** The password, sometimes mistyped, and a second factor now and then. Most come through. */
function prove(setting: Setting): Step[] {
  const { random } = setting;
  const known = { ...subject(setting), ...atIdp(setting) };
  const steps: Step[] = [];
  for (let left = random.chance(0.12) ? random.whole(1, 3) : 0; left > 0; left -= 1) {
    const reason = { ...atIdp(setting), error: 'invalid username or password', attemptsLeft: left };
    // An unknown name is not written to the log: `user` falls back to the address.
    const who = random.chance(0.3) ? { user: setting.clientIP } : subject(setting);
    steps.push(step(random.whole(4, 30) * 1000, 'authentication', 'failure', 'idp', { ...who, ...reason }));
  }
  steps.push(step(random.whole(3, 25) * 1000, 'authentication', 'authenticationSuccess', 'idp', known));
  if (random.chance(0.35)) steps.push(...secondFactor(setting));
  steps.push(
    step(random.whole(60, 500), 'authentication', 'success', 'proxy', { ...known, ...atSp(setting) }),
  );
  return steps;
}

function secondFactor(setting: Setting): Step[] {
  const { random } = setting;
  const wait = () => random.whole(5, 40) * 1000;
  if (random.chance(0.3)) {
    const known = { ...subject(setting), factor: 'mail', codeLength: 6 };
    if (random.chance(0.05)) return [step(150, 'emailMFA', 'noEmail', 'idp', { ...known, mail: null })];
    return [
      step(150, 'emailMFA', 'send', 'idp', known),
      ...mail(setting, 'sign-in-code'),
      ...(random.chance(0.1)
        ? [step(wait(), 'emailMFA', random.pick(['invalidCode', 'expiredCode']), 'idp', known)]
        : []),
      step(wait(), 'emailMFA', 'success', 'idp', known),
    ];
  }
  const known = {
    ...subject(setting),
    factor: random.pick(['totp', 'webauthn', 'push']),
    device: random.hex(12),
  };
  return [
    step(150, 'MFA', 'request', 'idp', known),
    ...(random.chance(0.1)
      ? [step(wait(), 'MFA', random.pick(['invalidCode', 'failure']), 'idp', known)]
      : []),
    step(wait(), 'MFA', 'success', 'idp', known),
  ];
}

/** A message on its way: queued, handed over, accepted (or not). */
function mail(setting: Setting, template: string): Step[] {
  const { random, person } = setting;
  const message = {
    to: person.mail,
    template,
    messageId: `<${random.hex(24)}@${new URL(setting.orgUrl).hostname}>`,
  };
  const data = { ...subject(setting), ...message };
  return [
    step(80, 'email', 'queued', 'mail', data),
    step(random.whole(200, 2500), 'sending', 'send', 'mail', { ...data, relay: 'smtp.mail.example' }),
    random.chance(0.02)
      ? step(random.whole(500, 4000), 'sending', 'error', 'mail', {
          ...data,
          reply: '550 5.1.1 mailbox unavailable',
        })
      : step(random.whole(500, 4000), 'sending', 'sent', 'mail', { ...data, reply: '250 2.0.0 accepted' }),
  ];
}

/** Some sign out; most just close the window. */
function leave(setting: Setting, logType: LogType, service: Service, data: Step['logData']): Step[] {
  const { random } = setting;
  if (!random.chance(0.35)) return [];
  return [
    step(random.whole(1, 40) * MINUTE_MS, logType, 'logout', service, {
      ...data,
      reason: random.pick(['user', 'user', 'idle']),
    }),
  ];
}

function subject({ person }: Setting) {
  return { user: person.uid, uid: person.uid, eppn: person.eppn, mail: person.mail };
}

/** Nobody is known yet: `user` falls back to the address. */
function visitor({ random, clientIP }: Setting) {
  return { user: clientIP, userAgent: someAgent(random) };
}

/** The service provider is spelled in two ways in deployed logs: both occur. */
function atSp({ random, application }: Setting) {
  const key = random.chance(0.5) ? 'spEntityId' : 'spentityid';
  return { [key]: application.entityId, sp: application.name };
}

function atIdp({ orgUrl }: Setting) {
  const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
  return { saml_idp: new URL('/idp/metadata', orgUrl).href, binding };
}

function step(
  afterMs: number,
  logType: LogType,
  logSubtype: LogSubtype,
  service: Service,
  logData: Step['logData'],
): Step {
  return { afterMs, logType, logSubtype, service, logData };
}
