import { OrglogError } from '../../../functions/core/errors.ts';
import type {
  AttributeCollection,
  Identity,
  IdentityPage,
} from '../../../functions/core/identities/identity.ts';
import type { Grant, IdentityPageRequest, IdentitySource } from '../../../functions/core/identities/ports.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface Held extends Mutable<Identity> {
  attributeCollections: Mutable<AttributeCollection>[];
}

export type SourceCall =
  | { readonly kind: 'granted' }
  | { readonly kind: 'page'; readonly request: IdentityPageRequest }
  | { readonly kind: 'fetch'; readonly serviceUid: string };

/** The provider's identity records in memory and virtual time. */
export class VirtualDirectory implements IdentitySource {
  readonly calls: SourceCall[] = [];
  /** Whose credential it is. */
  orgDomain = 'institution.edu';
  /** Whether it may read hosted credentials; without, they are left out of every answer, and nothing is refused. */
  hosted = true;
  /** What the credential's permissions name. */
  permitted: string[] = [];
  /** Those of them whose lists may not be read. */
  readonly unreadable = new Set<string>();
  /** Consulted before each call: may change the directory, or throw. */
  onCall: (call: SourceCall) => void = () => {};
  /** Members that identities have in lists by authority only. */
  besides: Readonly<Record<string, unknown>> = {};
  /** In the directory, and fetched, but in no list. */
  readonly unlisted = new Set<string>();
  private readonly identities = new Map<string, Held>();
  private readonly now: () => number;
  private pageSize: number;
  private created = 0;

  constructor(now: () => number, pageSize: number) {
    this.now = now;
    this.pageSize = pageSize;
  }

  async granted(): Promise<Grant> {
    this.note({ kind: 'granted' });
    return { orgDomain: this.orgDomain, authorities: this.permitted, hosted: this.hosted };
  }

  async page(request: IdentityPageRequest, signal: AbortSignal): Promise<IdentityPage> {
    if (signal.aborted) throw new OrglogError('time-out', 'aborted');
    this.note({ kind: 'page', request });
    const { authority, page } = request;
    if (authority !== undefined && this.unreadable.has(authority)) {
      throw new OrglogError('not-authorized', `the list of ${authority} may not be read`);
    }
    const all = this.inOrder
      .map((held) => this.shown(held))
      .filter(
        ({ serviceUid, attributeCollections }) =>
          !this.unlisted.has(serviceUid) &&
          (authority === undefined ||
            attributeCollections.some((held) => held.attributeCollectionAuthority === authority)),
      );
    const items = all
      .slice((page - 1) * this.pageSize, page * this.pageSize)
      .map(({ attributeCollections, ...base }) =>
        structuredClone(authority === undefined ? base : { ...base, ...this.besides, attributeCollections }),
      );
    return {
      items,
      totalItems: all.length,
      pageCount: Math.ceil(all.length / this.pageSize),
      pageSize: items.length,
      pageIndex: page,
    };
  }

  async fetch(serviceUid: string, signal: AbortSignal): Promise<Identity | undefined> {
    if (signal.aborted) throw new OrglogError('time-out', 'aborted');
    this.note({ kind: 'fetch', serviceUid });
    const held = this.identities.get(serviceUid);
    return held && structuredClone(this.shown(held));
  }

  /** Puts those of one createTime into another order. */
  shuffle(turn: number): void {
    const all = [...this.identities];
    this.identities.clear();
    const start = (turn * 5) % Math.max(1, all.length);
    for (const [serviceUid, held] of [...all.slice(start), ...all.slice(0, start)]) {
      this.identities.set(serviceUid, held);
    }
  }

  /** Take over what another one holds. */
  become(other: VirtualDirectory): void {
    for (const [serviceUid, held] of other.identities) this.identities.set(serviceUid, structuredClone(held));
    this.created = other.created;
    this.permitted = [...other.permitted];
    this.pageSize = other.pageSize;
  }

  /** All there is, oldest first. */
  get inOrder(): readonly Held[] {
    return [...this.identities.values()].sort((a, b) =>
      a.createTime < b.createTime ? -1 : Number(a.createTime > b.createTime),
    );
  }

  get uids(): readonly string[] {
    return [...this.identities.keys()];
  }

  of(serviceUid: string): Held {
    const held = this.identities.get(serviceUid);
    if (held === undefined) throw new Error(`no identity ${serviceUid}`);
    return held;
  }

  /** Each a second older than the next one, unless `createTime` says otherwise. */
  create(count = 1, createTime?: string): string {
    let serviceUid = '';
    for (let i = 0; i < count; i++) {
      const number = ++this.created;
      const time = createTime ?? this.time(number);
      serviceUid = `u${number}`;
      this.identities.set(serviceUid, {
        serviceUid,
        mail: `${serviceUid}@institution.edu`,
        givenName: 'Ada',
        sn: null,
        createTime: time,
        lastUpdateTime: time,
        attributeCollections: [],
      });
    }
    return serviceUid;
  }

  modify(serviceUid: string, change: Partial<Pick<Identity, 'mail' | 'givenName' | 'sn'>>): void {
    Object.assign(this.of(serviceUid), change, { lastUpdateTime: this.time() });
  }

  remove(serviceUid: string): void {
    this.identities.delete(serviceUid);
  }

  link(serviceUid: string, authority: string, uid: string, attributes: Record<string, string[]> = {}): void {
    const time = this.time();
    this.of(serviceUid).attributeCollections.push({
      attributeCollectionAuthority: authority,
      uid,
      attributes,
      createTime: time,
      lastUpdateTime: time,
      credentialLastUsed: null,
      attributeCollectionAuthorityType: 'sor',
    });
  }

  unlink(serviceUid: string, authority: string, uid: string): void {
    const held = this.of(serviceUid);
    held.attributeCollections = held.attributeCollections.filter(
      (one) => one.attributeCollectionAuthority !== authority || one.uid !== uid,
    );
  }

  /** Changes a collection; it must be there. */
  change(
    serviceUid: string,
    authority: string,
    uid: string,
    change: Partial<Pick<AttributeCollection, 'attributes' | 'credentialLastUsed'>>,
  ): void {
    const held = this.of(serviceUid).attributeCollections.find(
      (one) => one.attributeCollectionAuthority === authority && one.uid === uid,
    );
    if (held === undefined) throw new Error(`${serviceUid} has no ${authority} ${uid}`);
    Object.assign(held, change, { lastUpdateTime: this.time() });
  }

  /** Virtual time as the provider writes it. */
  time(afterSeconds = 0): string {
    return new Date(this.now() + afterSeconds * 1000).toISOString();
  }

  private shown(held: Held): Held {
    if (this.hosted) return held;
    const attributeCollections = held.attributeCollections.filter(
      ({ attributeCollectionAuthorityType }) => attributeCollectionAuthorityType !== 'obid',
    );
    return { ...held, attributeCollections };
  }

  private note(call: SourceCall): void {
    this.calls.push(call);
    this.onCall(call);
  }
}
