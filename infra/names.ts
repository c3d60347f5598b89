import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { IdentityEnvironment } from '../functions/core/identities/identity.ts';

/**
 * Every name and ARN that one stack says to another. They are composed, never exported: an export that is in use cannot
 * be changed, and a destination could then not be removed before every collector was (design §8).
 */
export class Names {
  readonly #name: string;
  readonly #stack: Stack;

  /** @param name the settings' `name` */
  constructor(scope: Construct, name: string) {
    this.#name = name;
    this.#stack = Stack.of(scope);
  }

  /** `alias/…` of the one key: what is encrypted for this deployment is encrypted with it. */
  get keyAlias(): string {
    return `alias/${this.#name}`;
  }

  get archiveBucket(): string {
    return `${this.#name}-archive-${this.#stack.account}-${this.#stack.region}`;
  }

  get archiveBucketArn(): string {
    return `arn:${this.#stack.partition}:s3:::${this.archiveBucket}`;
  }

  get cursorTable(): string {
    return `${this.#name}-cursors`;
  }

  get cursorTableArn(): string {
    return this.#arn('dynamodb', 'table', this.cursorTable);
  }

  get ledgerTable(): string {
    return `${this.#name}-ledger`;
  }

  get ledgerTableArn(): string {
    return this.#arn('dynamodb', 'table', this.ledgerTable);
  }

  get alarmTopic(): string {
    return `${this.#name}-alarms`;
  }

  get alarmTopicArn(): string {
    return this.#stack.formatArn({
      service: 'sns',
      resource: this.alarmTopic,
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
  }

  queue(destination: string): string {
    return `${this.#name}-${destination}`;
  }

  deadLetterQueue(destination: string): string {
    return `${this.queue(destination)}-dead`;
  }

  queueArn(queue: string): string {
    return this.#stack.formatArn({
      service: 'sqs',
      resource: queue,
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
  }

  queueUrl(queue: string): string {
    const { region, urlSuffix, account } = this.#stack;
    return `https://sqs.${region}.${urlSuffix}/${account}/${queue}`;
  }

  collectFunction(org: string): string {
    return `${this.#name}-collect-${org}`;
  }

  /** At most 16 + 6 + 4 + 1 + 32 of the 64 characters of a function's name. */
  syncFunction(org: string, environment: IdentityEnvironment): string {
    return `${this.#name}-sync-${environment}-${org}`;
  }

  deliverFunction(destination: string): string {
    return `${this.#name}-deliver-${destination}`;
  }

  /** The secret with what a sink knows orglog by. */
  sinkSecret(destination: string): string {
    return `${this.#name}/sinks/${destination}`;
  }

  /** The secret of one organization, or of a shared credential. */
  credentialSecret(owner: { readonly org: string } | { readonly shared: string }): string {
    return 'org' in owner ? `${this.#name}/logs/${owner.org}` : `${this.#name}/shared/${owner.shared}`;
  }

  /** The secret with the credential that reads identity records, of one organization or shared. */
  identitySecret(owner: { readonly org: string } | { readonly shared: string }): string {
    return 'org' in owner ? `${this.#name}/identities/${owner.org}` : this.credentialSecret(owner);
  }

  /** The secret with the key that an organization's pseudonyms are made with. */
  pseudonymSecret(org: string): string {
    return `${this.#name}/pseudonyms/${org}`;
  }

  /** Secrets Manager adds a hyphen and six characters of its own to the name: they are all that is left open. */
  secretArn(secret: string): string {
    return this.#stack.formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${secret}-??????`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }

  /** All keys of the account and region: for statements whose condition names the alias. */
  get anyKeyArn(): string {
    return this.#arn('kms', 'key', '*');
  }

  /** What the names of the log groups of all collectors begin with, and of no others. */
  get collectorLogGroups(): string {
    return `/${this.#name}/collectors-`;
  }

  collectorLogGroup(stackNumber: number): string {
    return `${this.collectorLogGroups}${stackNumber}`;
  }

  /** The same for the functions that follow identity records. */
  get identityLogGroups(): string {
    return `/${this.#name}/identities-`;
  }

  identityLogGroup(stackNumber: number): string {
    return `${this.identityLogGroups}${stackNumber}`;
  }

  /** The same for the functions that deliver. */
  get deliverLogGroups(): string {
    return `/${this.#name}/deliver-`;
  }

  deliverLogGroup(destination: string): string {
    return `${this.deliverLogGroups}${destination}`;
  }

  /** The log streams of one function in a group that it may share: Lambda calls them `2026/01/02/<function>[$LATEST]…`. */
  logStreamsArn(logGroup: string, functionName: string): string {
    return this.#stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: `${logGroup}:log-stream:*/${functionName}[*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }

  #arn(service: string, resource: string, resourceName: string): string {
    return this.#stack.formatArn({ service, resource, resourceName });
  }
}
