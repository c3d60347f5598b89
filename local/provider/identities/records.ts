import { Refusal } from '../answer.ts';
import { authoritiesOf, typeOfAuthority } from './authorities.ts';
import type { AccountInput, CollectionInput, CreateInput, ModifyInput } from './checks.ts';
import type { ChangeLog, Occasion } from './events.ts';
import { hostedCollection } from './hosted.ts';
import type { Organization } from './permissions.ts';
import { isSame, type Place, type StoredCollection, type StoredIdentity } from './record.ts';
import type { IdentityStore } from './store.ts';

/** What names a collection. */
export type CollectionName = Pick<StoredCollection, 'authority' | 'uid'>;

/** Everything that can happen to one organization's identities, each thing with its events in the log. */
export class IdentityRecords {
  readonly #store: IdentityStore;
  readonly #organization: Organization;
  readonly #log: ChangeLog;

  constructor(store: IdentityStore, organization: Organization, log: ChangeLog) {
    this.#store = store;
    this.#organization = organization;
    this.#log = log;
  }

  /** Throws the 409 for an address, a hosted credential or a collection that is there already, in this order. */
  create(environment: Place['environment'], input: CreateInput, occasion: Occasion): StoredIdentity {
    const { orgUrl } = this.#organization;
    const place: Place = { orgUrl, environment };
    const { mail, givenName, sn, customerUidGen } = input;
    if (!input.allowDuplicateEmail) this.#refuseMail(place, mail, undefined);
    const account = { givenName, surname: sn, email: mail };
    const { atMs } = occasion;
    const uid = occasion.newUuid();
    const collections = [
      ...(input.attributeCollections ?? []).map((each) => this.#collection(each, atMs)),
      ...(input.remoteCredentials ?? []).map((each) =>
        remoteCredential({ authority: each.remoteCredentialAuthority, uid: each.uid }, atMs),
      ),
      ...(input.obid ? [this.#hosted(place, account, occasion)] : []),
    ];
    for (const [index, collection] of collections.entries()) {
      const twice = collections.slice(0, index).some((other) => isSame(collection, other));
      const holder = twice ? uid : this.#store.holderOf(place, collection);
      if (holder === undefined) continue;
      throw new Refusal(
        409,
        `Attribute collection ${collection.authority} ${collection.uid} already exists on identity ${holder}`,
      );
    }
    if (typeof customerUidGen === 'string') collections.push(this.#generated(place, customerUidGen, atMs));
    const stored = this.#store.insert({
      ...place,
      uid,
      mail,
      givenName,
      sn,
      createdMs: atMs,
      updatedMs: atMs,
      collections,
    });
    this.#log.created(stored, occasion, input.obid && !input.quiet ? mail : undefined);
    return stored;
  }

  /** Null and absent values stay as they are. Throws the 409 for an address that another identity has. */
  modify(before: StoredIdentity, input: ModifyInput, occasion: Occasion): StoredIdentity {
    const { mail, givenName, sn, allowDuplicateEmail } = input;
    if (typeof mail === 'string' && !allowDuplicateEmail) this.#refuseMail(before, mail, before.uid);
    const after = {
      ...before,
      mail: mail ?? before.mail,
      givenName: givenName ?? before.givenName,
      sn: sn ?? before.sn,
      updatedMs: occasion.atMs,
    };
    this.#store.replace(before, after);
    this.#log.managed(after, occasion, 'modify');
    return after;
  }

  link(before: StoredIdentity, input: CollectionInput, occasion: Occasion): StoredCollection {
    return this.#add(before, this.#collection(input, occasion.atMs), occasion, 'collection.create');
  }

  linkRemote(before: StoredIdentity, name: CollectionName, occasion: Occasion): StoredCollection {
    return this.#add(before, remoteCredential(name, occasion.atMs), occasion, 'credential.create');
  }

  linkHosted(before: StoredIdentity, input: AccountInput, occasion: Occasion): StoredCollection {
    const { surname, email, quiet } = input;
    const account = { givenName: input.givenName ?? null, surname, email };
    const collection = this.#hosted(before, account, occasion);
    const after = withCollections(before, [...before.collections, collection], occasion.atMs);
    this.#store.replace(before, after);
    this.#log.hosted(after, occasion, collection, quiet ? undefined : email);
    return collection;
  }

  /** Replaces all attributes, or the values of the keys given. Throws the 404 for a collection that is not there. */
  change(
    before: StoredIdentity,
    input: CollectionInput,
    overwrite: boolean,
    occasion: Occasion,
  ): StoredCollection {
    const name = { authority: input.attributeCollectionAuthority, uid: input.uid };
    const found = theOne(before, name, false);
    const attributes = overwrite ? (input.attributes ?? {}) : { ...found.attributes, ...input.attributes };
    const changed = { ...found, attributes, updatedMs: occasion.atMs };
    const collections = before.collections.map((each) => (each === found ? changed : each));
    const after = withCollections(before, collections, occasion.atMs);
    this.#store.replace(before, after);
    this.#log.managed(after, occasion, 'collection.modify', changed);
    return changed;
  }

  /** Throws the 404 for a collection that is not there, or that is a remote credential where none is meant. */
  unlink(before: StoredIdentity, name: CollectionName, remote: boolean, occasion: Occasion): void {
    const found = theOne(before, name, remote);
    const collections = before.collections.filter((each) => each !== found);
    const after = withCollections(before, collections, occasion.atMs);
    this.#store.replace(before, after);
    this.#log.managed(after, occasion, remote ? 'credential.delete' : 'collection.delete', found);
  }

  /** A sign-in with a credential: no call of the interface does that. */
  use(before: StoredIdentity, name: CollectionName, occasion: Occasion): void {
    const found = before.collections.find((each) => isSame(each, name));
    if (found === undefined) throw notFound();
    const used = { ...found, usedMs: occasion.atMs };
    const collections = before.collections.map((each) => (each === found ? used : each));
    this.#store.replace(before, { ...before, collections });
    this.#log.signedIn(before, occasion, used);
  }

  /** The interface has no way to delete an identity; an administrator has. */
  remove(identity: StoredIdentity, occasion: Occasion): void {
    this.#store.remove(identity);
    this.#log.managed(identity, occasion, 'remove');
  }

  #add(
    before: StoredIdentity,
    collection: StoredCollection,
    occasion: Occasion,
    change: string,
  ): StoredCollection {
    if (this.#store.holderOf(before, collection) !== undefined) {
      throw new Refusal(409, 'Record already exists');
    }
    const after = withCollections(before, [...before.collections, collection], occasion.atMs);
    this.#store.replace(before, after);
    this.#log.managed(after, occasion, change, collection);
    return collection;
  }

  #refuseMail(place: Place, mail: string, except: string | undefined): void {
    const others = this.#store.withMail(place, mail).filter((uid) => uid !== except);
    if (others.length === 0) return;
    throw new Refusal(409, `Email ${mail} already exists on identities: ${others.join(', ')}`);
  }

  #hosted(
    place: Place,
    account: { readonly givenName: string | null; readonly surname: string; readonly email: string },
    { atMs, newUuid }: Occasion,
  ): StoredCollection {
    const holder = this.#store.holderOfAccount(place, account.email);
    if (holder !== undefined) {
      throw new Refusal(
        409,
        `Hosted credential error: the credential for ${account.email} exists and is linked to identity ${holder}`,
      );
    }
    const { orgUrl, orgDomain } = this.#organization;
    return hostedCollection({ ...account, orgUrl, orgDomain, uuid: newUuid(), atMs });
  }

  #collection(input: CollectionInput, atMs: number): StoredCollection {
    const { attributeCollectionAuthority: authority, uid, attributes = {} } = input;
    const type = typeOfAuthority(this.#organization.orgUrl, authority);
    return {
      authority,
      uid,
      type,
      remote: false,
      attributes,
      createdMs: atMs,
      updatedMs: atMs,
      usedMs: null,
    };
  }

  /** The first number above all identities ever made that the authority has not given to somebody. */
  #generated(place: Place, key: string, atMs: number): StoredCollection {
    const colon = key.indexOf(':');
    const tenant = key.slice(0, colon);
    const authority = key.slice(colon + 1);
    for (let number = this.#store.highestRow + 1; ; number += 1) {
      const uid = `${tenant}-${String(number).padStart(8, '0')}`;
      if (this.#store.holderOf(place, { authority, uid }) !== undefined) continue;
      return this.#collection({ attributeCollectionAuthority: authority, uid }, atMs);
    }
  }
}

export function notFound(): Refusal {
  return new Refusal(404, 'Record not found');
}

/** Hosted credentials and gateways make their own collections: nobody else may (422). */
export function refuseMadeElsewhere(
  orgUrl: string,
  authorities: readonly { readonly authority: string; readonly loc: readonly (string | number)[] }[],
): void {
  const { hosted, gateways } = authoritiesOf(orgUrl);
  const faults = authorities.filter(({ authority }) => [hosted, ...gateways].includes(authority));
  if (faults.length === 0) return;
  throw new Refusal(
    422,
    faults.map(({ authority, loc }) => ({
      loc,
      msg: 'must not be a hosted-credential or gateway identity provider',
      type: 'forbidden_authority',
      input: authority,
      ctx: { forbidden: [hosted, ...gateways] },
    })),
  );
}

function theOne(identity: StoredIdentity, name: CollectionName, remote: boolean): StoredCollection {
  const found = identity.collections.find((each) => isSame(each, name));
  if (found === undefined || found.remote !== remote) throw notFound();
  return found;
}

function remoteCredential({ authority, uid }: CollectionName, atMs: number): StoredCollection {
  const times = { createdMs: atMs, updatedMs: atMs, usedMs: null };
  return { authority, uid, type: 'sor', remote: true, attributes: {}, ...times };
}

function withCollections(
  identity: StoredIdentity,
  collections: readonly StoredCollection[],
  updatedMs: number,
): StoredIdentity {
  return { ...identity, collections, updatedMs };
}
