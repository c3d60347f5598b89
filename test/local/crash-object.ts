import type { ObjectToPut } from '../../functions/core/ports.ts';

/** The object that processes compete for: its bytes and its metadata say whose it is. */
export function crashObject(writer: string): ObjectToPut {
  return {
    key: 'logs/org=institution/dt=2026-01-02/e1-000000000001.ndjson.gz',
    body: [Buffer.from(`written by ${writer}, `), Buffer.from('in two pieces')],
    contentType: 'application/x-ndjson',
    metadata: { writer },
  };
}

/** Object n of those that several processes put at once. */
export function contestedObject(n: number, writer: string): ObjectToPut {
  return { ...crashObject(writer), key: `logs/org=institution/dt=2026-01-02/e1-${n}.ndjson.gz` };
}
