import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { Names } from './names.ts';
import type { OrganizationSettings, Settings } from './settings/schema.ts';

/*
 * What the operator's command finds a deployment by (functions/adapters/operator/stack-outputs.ts reads it). Outputs of
 * the stacks themselves need no right but to describe these stacks, where listing functions would need all of an
 * account's. None is exported: nothing else may come to depend on them. One per destination and organization, so that
 * no value grows with the settings.
 */

/** @param collectorStacks the numbers of the stacks that hold the collectors */
export function addFoundationOutputs(
  stack: Stack,
  names: Names,
  { destinations, organizations }: Pick<Settings, 'destinations' | 'organizations'>,
): void {
  const collectorStacks = [...new Set(organizations.map((one) => one.stack))].sort((a, b) => a - b);
  add(stack, 'ArchiveBucket', names.archiveBucket);
  add(stack, 'CursorTable', names.cursorTable);
  add(stack, 'LedgerTable', names.ledgerTable);
  add(stack, 'CollectorStacks', JSON.stringify(collectorStacks));
  destinations.forEach(({ id, kind, delivery }, index) => {
    const queue = names.queueUrl(names.queue(id));
    const deadLetters = names.queueUrl(names.deadLetterQueue(id));
    const value = stack.toJsonString({ id, kind, delivery, queue, deadLetters });
    add(stack, `Destination${index + 1}`, value);
  });
}

export function addCollectorOutputs(
  stack: Stack,
  names: Names,
  organizations: readonly OrganizationSettings[],
): void {
  organizations.forEach(({ id, everyMinutes, identities }, index) => {
    const value = {
      id,
      function: names.collectFunction(id),
      everyMinutes,
      identities: identities?.environments ?? [],
    };
    add(stack, `Organization${index + 1}`, JSON.stringify(value));
  });
}

function add(stack: Stack, key: string, value: string): void {
  new CfnOutput(stack, key, { value });
}
