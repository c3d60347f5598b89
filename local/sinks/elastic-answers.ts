import type { SinkAnswer } from './sink-server.ts';

/** Clients take no answer for Elasticsearch's without it. */
export const PRODUCT = { 'x-elastic-product': 'Elasticsearch' };

/** The cause of a failure, in a whole answer or in one item of it. */
export interface ElasticCause {
  readonly type: string;
  readonly reason: string;
  readonly [detail: string]: unknown;
}

/** A refusal of the whole request, thrown where it is found. */
export class ElasticRefusal extends Error {
  readonly answer: SinkAnswer;

  constructor(status: number, cause: ElasticCause, headers: SinkAnswer['headers'] = {}) {
    super(cause.reason);
    this.name = 'ElasticRefusal';
    this.answer = { status, headers, body: errorBody(status, cause) };
  }
}

/** Elasticsearch's body for a failed request. */
function errorBody(status: number, cause: ElasticCause): unknown {
  return { error: { root_cause: [cause], ...cause }, status };
}

const REJECTED: ElasticCause = {
  type: 'es_rejected_execution_exception',
  reason: 'rejected execution of coordinating operation: the write memory limit is reached',
};

export function illegalArgument(reason: string): ElasticRefusal {
  return new ElasticRefusal(400, { type: 'illegal_argument_exception', reason });
}

/** What Elasticsearch says with a status that it sends for reasons of its own; nothing for 413, as its HTTP layer does. */
export function elasticAnswerOf(status: number): SinkAnswer {
  const causes: Readonly<Record<number, ElasticCause>> = {
    401: { type: 'security_exception', reason: 'unable to authenticate with provided credentials' },
    403: { type: 'security_exception', reason: 'action [indices:data/write/bulk] is unauthorized' },
    429: REJECTED,
    500: { type: 'exception', reason: 'scripted failure' },
    503: {
      type: 'cluster_block_exception',
      reason: 'blocked by: [SERVICE_UNAVAILABLE/1/state not recovered];',
    },
  };
  const cause = causes[status];
  return { status, headers: PRODUCT, ...(cause && { body: errorBody(status, cause) }) };
}
