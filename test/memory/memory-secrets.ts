import { OrglogError } from '../../functions/core/errors.ts';
import type { OperatorSecrets, SecretStanding } from '../../functions/core/operate/ports.ts';
import type { Credential } from '../../functions/core/ports.ts';
import { throwIfAborted } from '../../local/aborted.ts';

interface Stored {
  readonly value: Credential;
  readonly changedAt: number;
}

/** Secrets in a map, made without a value, as the stack makes them. */
export class MemorySecrets implements OperatorSecrets {
  readonly #secrets: Map<string, Stored | undefined>;
  readonly #now: () => number;

  constructor(names: readonly string[], now: () => number = () => 0) {
    this.#secrets = new Map(names.map((name) => [name, undefined]));
    this.#now = now;
  }

  async describe(name: string, signal: AbortSignal): Promise<SecretStanding> {
    throwIfAborted(signal, `Looking for the secret ${name}`);
    if (!this.#secrets.has(name)) return { kind: 'missing' };
    const stored = this.#secrets.get(name);
    return stored === undefined ? { kind: 'empty' } : { kind: 'stored', changedAt: stored.changedAt };
  }

  async read(name: string, signal: AbortSignal): Promise<Credential> {
    throwIfAborted(signal, `Reading the secret ${name}`);
    const stored = this.#secrets.get(name);
    if (stored !== undefined) return stored.value;
    throw new OrglogError('configuration', `The secret ${name} has no value: store one`);
  }

  async store(name: string, { username, password }: Credential, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `Storing the secret ${name}`);
    if (!this.#secrets.has(name)) {
      throw new OrglogError('configuration', `There is no secret ${name}: deploy it first`);
    }
    this.#secrets.set(name, { value: { username, password }, changedAt: this.#now() });
  }
}
