import type { SinkAnswer } from './sink-server.ts';

/**
 * Status and text of every code that Splunk documents ("Troubleshoot HTTP Event Collector", possible error codes).
 * https://help.splunk.com/en/splunk-enterprise/get-data-in/collect-http-event-data/troubleshoot-http-event-collector
 */
const CODES = {
  0: [200, 'Success'],
  1: [403, 'Token disabled'],
  2: [401, 'Token is required'],
  3: [401, 'Invalid authorization'],
  4: [403, 'Invalid token'],
  5: [400, 'No data'],
  6: [400, 'Invalid data format'],
  7: [400, 'Incorrect index'],
  8: [500, 'Internal server error'],
  9: [503, 'Server is busy'],
  10: [400, 'Data channel is missing'],
  11: [400, 'Invalid data channel'],
  12: [400, 'Event field is required'],
  13: [400, 'Event field cannot be blank'],
  14: [400, 'ACK is disabled'],
  15: [400, 'Error in handling indexed fields'],
  16: [400, 'Query string authorization is not enabled'],
  17: [200, 'HEC is healthy'],
  18: [503, 'HEC is unhealthy, queues are full'],
  27: [413, 'Request entity too large'],
} as const satisfies Record<number, readonly [status: number, text: string]>;

export type HecCode = keyof typeof CODES;

interface HecDetail {
  /** Zero-based place of the event in the request that the code is about. */
  readonly invalidEventNumber?: number;
  readonly ackId?: number;
}

export function hecAnswer(code: HecCode, { invalidEventNumber, ackId }: HecDetail = {}): SinkAnswer {
  const [status, text] = CODES[code];
  return {
    status,
    body: {
      text,
      code,
      ...(invalidEventNumber !== undefined && { 'invalid-event-number': invalidEventNumber }),
      ...(ackId !== undefined && { ackId }),
    },
  };
}

/** What HEC says with a status, where one code has that status to itself. */
export function hecAnswerOf(status: number): SinkAnswer {
  const codes: Readonly<Record<number, HecCode>> = { 401: 3, 403: 4, 413: 27, 500: 8, 503: 9 };
  const code = codes[status];
  return code === undefined ? { status } : hecAnswer(code);
}
