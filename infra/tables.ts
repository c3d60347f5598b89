import {
  AttributeType,
  BillingMode,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Names } from './names.ts';

export interface TablesProps {
  readonly names: Names;
  readonly key: IKey;
}

/**
 * The cursor rows, and the ledger of push delivery. The ledger is there with or without a push destination: it costs
 * nothing while empty, and one that came and went with the settings would take its progress along.
 */
export class Tables extends Construct {
  /** One row per organization and stream: `org`, `stream`. */
  readonly cursors: Table;
  /** One row per destination and object: `destination`, `key`; gone after `expiresAt`, epoch seconds. */
  readonly ledger: Table;

  constructor(scope: Construct, id: string, { names, key }: TablesProps) {
    super(scope, id);
    const common = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: key,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    } satisfies Partial<TableProps>;

    this.cursors = new Table(this, 'Cursors', {
      ...common,
      tableName: names.cursorTable,
      partitionKey: { name: 'org', type: AttributeType.STRING },
      sortKey: { name: 'stream', type: AttributeType.STRING },
    });
    this.ledger = new Table(this, 'Ledger', {
      ...common,
      tableName: names.ledgerTable,
      partitionKey: { name: 'destination', type: AttributeType.STRING },
      sortKey: { name: 'key', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
    });
    acknowledge(this, {
      'NIST.800.53.R5-DynamoDBInBackupPlan':
        'Point-in-time recovery goes back 35 days; what an older backup holds, a cursor of months ago, the provider no longer knows.',
    });
  }
}
