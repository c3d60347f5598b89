import type { buildApp } from 'fauxqs';

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;
type S3Store = NonNullable<Stores['s3Store']>;

/** fauxqs 2.4.1 lists keys in an alphabet's order; S3 does so in the order of their UTF-8 bytes. */
export async function storesInOrder(): Promise<Stores> {
  const file = new URL('./s3/s3Store.js', import.meta.resolve('fauxqs'));
  const { S3Store } = (await import(file.href)) as { S3Store: new () => S3Store };
  const store = new S3Store();
  const listObjects = store.listObjects.bind(store);
  store.listObjects = (bucket, options = {}) => {
    const { prefix = '', delimiter, maxKeys = 1000 } = options;
    if (delimiter !== undefined) throw new Error('listing with a delimiter is not served here');
    const start = options.startAfter ?? options.marker ?? '';
    const { objects } = listObjects(bucket, { prefix, maxKeys: Number.POSITIVE_INFINITY });
    const following = objects
      .filter(({ key }) => start === '' || Buffer.compare(Buffer.from(key), Buffer.from(start)) > 0)
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    return {
      objects: following.slice(0, maxKeys),
      commonPrefixes: [],
      isTruncated: following.length > maxKeys,
    };
  };
  // It makes the others itself.
  return { s3Store: store } as Stores;
}
