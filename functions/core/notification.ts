import type { StoredObject } from './ports.ts';

export interface AnnouncedObject extends StoredObject {
  readonly bucket: string;
  readonly region: string;
  readonly key: string;
  /** Epoch ms: the same at every sending. */
  readonly eventTime: number;
}

/**
 * The message that announces one object: the S3 event notification shape (Amazon S3 User Guide, "Event message
 * structure"), so that Elastic Agent, the Splunk Add-on for AWS, Vector and the Elastic Serverless Forwarder consume
 * it unmodified. Exactly three decimals in `eventTime`, an unquoted `eTag` and the true `size` matter to them.
 */
export function notification(object: AnnouncedObject): string {
  return JSON.stringify({
    Records: [
      {
        eventVersion: '2.1',
        eventSource: 'aws:s3',
        awsRegion: object.region,
        eventTime: new Date(object.eventTime).toISOString(),
        eventName: 'ObjectCreated:Put',
        s3: {
          s3SchemaVersion: '1.0',
          configurationId: 'orglog',
          bucket: { name: object.bucket, arn: `arn:aws:s3:::${object.bucket}` },
          object: { key: urlEncoded(object.key), size: object.size, eTag: object.etag },
        },
      },
    ],
  });
}

/** As S3 does it: every segment percent-encoded, slashes kept. */
function urlEncoded(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}
