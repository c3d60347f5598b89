import { LOG_SUBTYPES, LOG_TYPES, SERVICES } from './event.ts';

/** Shared schemas of the OpenAPI description, after logs-v1.md, "Resources and their fields". */
export const LOG_SCHEMAS = [
  {
    $id: 'LogEvent',
    type: 'object',
    properties: {
      logType: { type: 'string', enum: LOG_TYPES },
      logSubtype: { type: 'string', enum: LOG_SUBTYPES },
      timeStampISO: { type: 'string' },
      orgDomain: { type: 'string' },
      orgUrl: { type: 'string' },
      service: { type: 'string', enum: SERVICES },
      tenant: { type: 'string' },
      clientIP: { type: 'string' },
      correlationId: { type: 'string' },
      logData: { type: 'object', additionalProperties: true },
    },
  },
  {
    $id: 'LogApiResponse',
    type: 'object',
    required: ['ref', 'next', 'count', 'logEvents'],
    properties: {
      ref: { type: 'string', format: 'uri' },
      next: { type: 'string', format: 'uri' },
      nextToken: { type: ['string', 'null'] },
      count: { type: 'integer' },
      logEvents: { type: 'array', items: { $ref: 'LogEvent#' } },
    },
  },
  {
    $id: 'OrgUrls',
    type: 'object',
    required: ['orgUrls'],
    properties: { orgUrls: { type: 'array', items: { type: 'string', format: 'uri' } } },
  },
  {
    $id: 'ErrorDetail',
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'string' } },
  },
  {
    $id: 'ValidationError',
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', items: { type: ['string', 'integer'] } },
      msg: { type: 'string' },
      type: { type: 'string' },
      input: {},
      ctx: { type: 'object', additionalProperties: true },
    },
  },
  {
    $id: 'HTTPValidationError',
    type: 'object',
    properties: { detail: { type: 'array', items: { $ref: 'ValidationError#' } } },
  },
] as const;

/** How an answer with a shared schema is described. */
export const answerDescription = (name: string, description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: `${name}#` } } },
});

export const UNAUTHORIZED = answerDescription('ErrorDetail', 'Authentication failed');
export const FORBIDDEN = answerDescription(
  'ErrorDetail',
  'Credential not authorized for the given organization',
);
export const INVALID = answerDescription(
  'HTTPValidationError',
  'A parameter is missing or not as it must be',
);
export const INTERNAL = answerDescription('ErrorDetail', 'Internal error');
export const ORG_URLS = answerDescription('OrgUrls', 'The orgUrl values that the credential may use');
export const LOG_PAGE = answerDescription('LogApiResponse', 'Log events');
