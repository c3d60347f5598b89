import { z } from 'zod';
import { Refusal, type ValidationError } from './answer.ts';
import { LOG_SUBTYPES, LOG_TYPES, SERVICES } from './event.ts';

const HIGHEST_LIMIT = 1000;

const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text);

/** Query of `/logs/v1/orgLogs` (logs-v1.md, query parameters). Other parameters are ignored. */
const logQuery = z.object({
  // Kept as it came (no trimming, no normalizing): the comparison is exact.
  orgUrl: z.string().refine(isUri, 'must be a URI').meta({ format: 'uri' }),
  nextToken: z.guid('must be a UUID').optional(),
  limit: z
    .string()
    .regex(/^-?\d+$/, 'must be an integer')
    .transform(Number)
    .pipe(z.int().min(1).max(HIGHEST_LIMIT))
    .optional()
    .transform((limit) => limit ?? HIGHEST_LIMIT),
  service: z.enum(SERVICES).optional(),
  logType: z.enum(LOG_TYPES).optional(),
  logSubtype: z.enum(LOG_SUBTYPES).optional(),
  tenant: z.string().optional(),
});

export type LogQuery = z.output<typeof logQuery>;

/** The query as JSON Schema, for the OpenAPI description. */
export function logQueryJsonSchema(): Record<string, unknown> {
  const { properties, required } = z.toJSONSchema(logQuery, { io: 'input' });
  return {
    type: 'object',
    required,
    properties: {
      ...properties,
      // On the wire any parameter is text; what it must say is an integer.
      limit: { type: 'integer', minimum: 1, maximum: HIGHEST_LIMIT, default: HIGHEST_LIMIT },
      nextToken: { type: 'string', format: 'uuid' },
    },
  };
}

/** Check a parsed query string: the value, or the 422 that lists each fault. */
export function checkLogQuery(raw: unknown): { value: LogQuery } | { error: Refusal } {
  const result = logQuery.safeParse(raw);
  if (result.success) return { value: result.data };
  const given = new Set(Object.keys(raw ?? {}));
  const detail = result.error.issues.map((issue): ValidationError => {
    const name = String(issue.path[0]);
    return given.has(name)
      ? { loc: ['query', name], msg: issue.message, type: issue.code }
      : { loc: ['query', name], msg: 'Field required', type: 'missing' };
  });
  return { error: new Refusal(422, detail) };
}
