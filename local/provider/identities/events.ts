import type { LogEvent, LogSubtype, LogType, Service } from '../event.ts';
import { OID } from './hosted.ts';
import type { Organization } from './permissions.ts';
import { iso, type NewIdentity, type StoredCollection } from './record.ts';

/** When, from where, and where identifiers come from. */
export interface Occasion {
  readonly atMs: number;
  readonly clientIP: string;
  readonly newUuid: () => string;
}

/** One event to come of what happened to an identity. */
interface Step {
  readonly logType: LogType;
  readonly logSubtype: LogSubtype;
  readonly service: Service;
  readonly logData: Readonly<Record<string, unknown>>;
}

/** What happened, in the words of the log: the events of one change share their correlationId. */
export class ChangeLog {
  readonly #organization: Organization;
  readonly #uidField: string;
  readonly #append: (orgUrl: string, events: readonly LogEvent[]) => void;

  constructor(
    organization: Organization,
    uidField: string,
    append: (orgUrl: string, events: readonly LogEvent[]) => void,
  ) {
    this.#organization = organization;
    this.#uidField = uidField;
    this.#append = append;
  }

  created(identity: NewIdentity, occasion: Occasion, invited: string | undefined): void {
    const record = { ...this.#subject(identity), source: 'identities' };
    this.#write(occasion, [
      { logType: 'create', logSubtype: 'request', service: 'idGeneration', logData: record },
      { logType: 'create', logSubtype: 'success', service: 'idGeneration', logData: record },
      ...this.#invitation(identity, occasion, invited),
    ]);
  }

  /** `change` says what was done: `modify`, `remove`, `collection.create`, … */
  managed(identity: NewIdentity, occasion: Occasion, change: string, collection?: StoredCollection): void {
    const which = collection && { authority: collection.authority, authorityUid: collection.uid };
    const logData = { ...this.#subject(identity), page: 'identities', change, ...which };
    this.#write(occasion, [{ logType: 'account', logSubtype: 'manage', service: 'idp', logData }]);
  }

  hosted(
    identity: NewIdentity,
    occasion: Occasion,
    collection: StoredCollection,
    invited: string | undefined,
  ): void {
    const { authority, uid } = collection;
    const record = { ...this.#subject(identity), source: 'identities', authority, authorityUid: uid };
    this.#write(occasion, [
      { logType: 'create', logSubtype: 'success', service: 'idp', logData: record },
      ...this.#invitation(identity, occasion, invited),
    ]);
  }

  signedIn(identity: NewIdentity, occasion: Occasion, { authority, type }: StoredCollection): void {
    const logData = { ...this.#subject(identity), saml_idp: authority };
    const service = type === 'gateway' ? 'gateway' : 'idp';
    this.#write(occasion, [
      { logType: 'authentication', logSubtype: 'authenticationSuccess', service, logData },
      { logType: 'authentication', logSubtype: 'success', service: 'proxy', logData },
    ]);
  }

  #invitation(identity: NewIdentity, { newUuid }: Occasion, to: string | undefined): Step[] {
    if (to === undefined) return [];
    const { orgUrl } = this.#organization;
    const data = {
      ...this.#subject(identity),
      to,
      template: 'hosted-credential-setup',
      messageId: `<${newUuid()}@${new URL(orgUrl).hostname}>`,
    };
    const handed = { ...data, relay: 'smtp.mail.example' };
    const accepted = { ...data, reply: '250 2.0.0 accepted' };
    return [
      { logType: 'email', logSubtype: 'queued', service: 'mail', logData: data },
      { logType: 'sending', logSubtype: 'send', service: 'mail', logData: handed },
      { logType: 'sending', logSubtype: 'sent', service: 'mail', logData: accepted },
    ];
  }

  #write({ atMs, clientIP, newUuid }: Occasion, steps: readonly Step[]): void {
    const { orgUrl, orgDomain, tenant = orgDomain.split('.', 1)[0] ?? orgDomain } = this.#organization;
    const correlationId = newUuid();
    const events = steps.map(({ logType, logSubtype, service, logData }) => ({
      logType,
      logSubtype,
      timeStampISO: iso(atMs),
      orgDomain,
      orgUrl,
      service,
      tenant,
      clientIP,
      correlationId,
      logData,
    }));
    this.#append(orgUrl, events);
  }

  /** As the events of sign-ins name somebody, and the identifier of the record besides. */
  #subject({ uid: identifier, mail, environment, collections }: NewIdentity): Record<string, unknown> {
    const eppn = collections
      .map(({ attributes }) => (attributes.eduPersonPrincipalName ?? attributes[OID.principalName])?.[0])
      .find((each) => each !== undefined);
    const uid = (eppn ?? mail ?? identifier).split('@', 1)[0];
    const known = { user: uid, uid, ...(eppn !== undefined && { eppn }), mail };
    return { ...known, [this.#uidField]: identifier, environment };
  }
}
