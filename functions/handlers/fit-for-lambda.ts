import { scrub } from '../adapters/scrub.ts';
import { OrglogError } from '../core/errors.ts';

/** Lambda logs what was thrown, cause and all: a cause may quote what the logger would not. */
export function fitForLambda({ code, message }: OrglogError): OrglogError {
  return new OrglogError(code, scrub(message));
}
