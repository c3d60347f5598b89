import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  ObjectOwnership,
  StorageClass,
} from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { LONGEST_WALK_DAYS } from '../functions/core/identities/bounds.ts';
import { acknowledge } from './acknowledge.ts';
import type { Names } from './names.ts';
import type { Settings } from './settings/schema.ts';

export interface ArchiveProps {
  readonly names: Names;
  readonly key: IKey;
  readonly retention: Settings['retention'];
}

/** An object that somebody removed can be brought back for so long. */
const REMOVED_KEPT_DAYS = 30;

/**
 * What a walk over identity records keeps for the next one is needed until that one is finished: a week at most
 * (`everyHours`), the walk itself, and whatever trouble lies between. Three weeks of trouble are left here; after more,
 * the next walk is a first one again and records a gap. Longer would only keep copies of personal data that nobody
 * reads. Longer than a walk may be open, since what is gone of one would pass for what never was. Never sooner: the
 * archive itself keeps 30 days or more (MIN_ARCHIVE_DAYS), and the shortest of all rules holds.
 */
const WALKS_KEPT_DAYS = LONGEST_WALK_DAYS + 2;

/** What expires before it would be moved is not moved. */
function transitions({ archiveDays = Infinity, infrequentAccessAfterDays: days }: Settings['retention']) {
  if (archiveDays <= days) return [];
  return [{ storageClass: StorageClass.INFREQUENT_ACCESS, transitionAfter: Duration.days(days) }];
}

/** The archive: every object that was ever announced, until the settings let it expire. Kept when the stack goes. */
export class Archive extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { names, key, retention }: ArchiveProps) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      bucketName: names.archiveBucket,
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      // One call to KMS for many objects instead of one for each.
      bucketKeyEnabled: true,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      lifecycleRules: [
        {
          id: 'archive',
          transitions: transitions(retention),
          ...(retention.archiveDays === undefined
            ? {}
            : { expiration: Duration.days(retention.archiveDays) }),
          noncurrentVersionExpiration: Duration.days(REMOVED_KEPT_DAYS),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
        {
          id: 'walks',
          prefix: 'walks/',
          expiration: Duration.days(WALKS_KEPT_DAYS),
          noncurrentVersionExpiration: Duration.days(1),
        },
        // What is left of an expired object once its versions are gone; S3 takes this in a rule without days only.
        { id: 'delete-markers', expiredObjectDeleteMarker: true },
      ],
    });
    acknowledge(this.bucket, {
      'AwsSolutions-S1':
        'Who reads the archive is answered by CloudTrail data events, which an account has or has not for all buckets; a second bucket for access logs would need the same care as this one.',
      'NIST.800.53.R5-S3BucketLoggingEnabled':
        'Who reads the archive is answered by CloudTrail data events, which an account has or has not for all buckets.',
      'NIST.800.53.R5-S3BucketReplicationEnabled':
        'A copy in another region is a decision about where personal data may lie, and doubles the cost: left to who needs it.',
    });
  }
}
