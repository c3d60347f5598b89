import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { operatorClients } from '../../../functions/adapters/operator/clients.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_REGION: 'us-east-1' };

/** A service that answers a call only when it is asked the fifth time. */
async function busyService() {
  let asked = 0;
  const server = createServer((_request, response) => {
    response.writeHead(++asked % 5 === 0 ? 200 : 500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.asyncDispose]: async () => void server.close() };
}

it('a long audit does not end because a service is busy for a moment', async () => {
  await using service = await busyService();
  using clients = operatorClients({ env: { ...KEYS, AWS_ENDPOINT_URL: service.url } });
  const head = new HeadObjectCommand({ Bucket: 'archive', Key: 'logs/object' });
  await expect(clients.s3.send(head)).resolves.toMatchObject({ $metadata: { attempts: 5 } });
});
