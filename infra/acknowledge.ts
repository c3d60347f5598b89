import { Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/**
 * Says why a rule of cdk-nag is not followed here: rule id (with its finding in brackets, where it names one) → reason.
 * It holds for the construct and all below it, and does not appear in the template.
 */
export function acknowledge(scope: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(scope).acknowledge({ id, reason });
}

/** The same for wildcards in the resources of a policy: each is a finding of its own, which quotes the resource. */
export function acknowledgeWildcards(scope: IConstruct, reasons: ReadonlyMap<string, string>): void {
  for (const [resource, reason] of reasons) {
    acknowledge(scope, {
      [`AwsSolutions-IAM5[Resource::${asQuoted(Stack.of(scope).resolve(resource))}]`]: reason,
    });
  }
}

/** Text as cdk-nag writes it: `arn:<AWS::Partition>:…`. */
function asQuoted(resolved: unknown): string {
  if (typeof resolved !== 'object' || resolved === null) return String(resolved);
  const [[fn, argument] = []] = Object.entries(resolved);
  if (fn === 'Fn::Join') return (argument as [string, unknown[]])[1].map(asQuoted).join('');
  return `<${[argument].flat().join('.')}>`;
}
