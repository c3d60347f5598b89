import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback. */
export interface Listening extends AsyncDisposable {
  readonly url: string;
}

/** Listen on 127.0.0.1, any free port. Disposing closes open connections too. */
export async function listen(server: Server): Promise<Listening> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
