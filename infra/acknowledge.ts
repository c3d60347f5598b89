import { Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/**
 * Says why a rule of cdk-nag is not followed here: rule id (with its finding in brackets, where it names one) → reason.
 * It holds for the construct and all below it, and does not appear in the template.
 */
export function acknowledge(scope: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(scope).acknowledge({ id, reason });
}
