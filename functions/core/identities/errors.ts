import { OrglogError } from '../errors.ts';

/** The provider has something that what was asked for would collide with (identities-v1.md, "Errors", 409). */
export class ConflictError extends OrglogError {
  /** Identifiers of the identities that are in the way, as far as the answer's text shows them; often empty. */
  readonly identities: readonly string[];

  constructor(message: string, identities: readonly string[] = []) {
    super('conflict', message);
    this.name = 'ConflictError';
    this.identities = identities;
  }
}

export interface InvalidField {
  /** Where, for example `body.mail` or `query.page_size`; an identifier's field is called `serviceUid`. */
  readonly path: string;
  readonly message: string;
}

/** A request that is not valid: the provider said so (422), or it was refused before it was sent. */
export class InvalidError extends OrglogError {
  /** Empty where the answer did not name any. */
  readonly fields: readonly InvalidField[];

  constructor(message: string, fields: readonly InvalidField[] = []) {
    super('invalid-request', message);
    this.name = 'InvalidError';
    this.fields = fields;
  }
}
