import { parsed } from './concatenated-json.ts';
import { ElasticRefusal, illegalArgument } from './elastic-answers.ts';

const ACTIONS = ['create', 'delete', 'index', 'update'] as const;
const PARAMETERS = [
  '_id',
  '_index',
  'dynamic_templates',
  'if_primary_term',
  'if_seq_no',
  'list_executed_pipelines',
];
const MORE_PARAMETERS = [
  'pipeline',
  'require_alias',
  'require_data_stream',
  'retry_on_conflict',
  'routing',
  'version',
];
const KNOWN = [...PARAMETERS, ...MORE_PARAMETERS, 'version_type'];
const MAX_ID_BYTES = 512;

/** One operation of a `_bulk` request. */
export interface BulkOperation {
  readonly action: (typeof ACTIONS)[number];
  /** Name of the index or data stream, as the sender gave it. */
  readonly target: string;
  readonly id: string | undefined;
  /** The document's JSON text as sent; absent for `delete`. */
  readonly source: string | undefined;
}

/**
 * Read a `_bulk` body (Elasticsearch, "Bulk API": NDJSON, every line ended by a newline). Throws the refusal of the
 * whole request for what Elasticsearch refuses as a whole: nothing is carried out then. A document that is no JSON is
 * not: that fails its own item alone.
 */
export function bulkOperations(body: string, defaultTarget: string | undefined): BulkOperation[] {
  if (body.trim() === '')
    throw new ElasticRefusal(400, { type: 'parse_exception', reason: 'request body is required' });
  if (!body.endsWith('\n')) throw illegalArgument('The bulk request must be terminated by a newline [\\n]');
  const lines = body.split('\n').slice(0, -1);
  const operations: BulkOperation[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const operation = actionOf(line, at + 1, defaultTarget);
    if (operation.action === 'delete') operations.push({ ...operation, source: undefined });
    else {
      at += 1;
      const source = lines[at];
      if (source === undefined)
        throw invalid(operations.length + 1, 'no requests added or a document is missing');
      operations.push({ ...operation, source });
    }
  }
  if (operations.length === 0) throw invalid(1, 'no requests added');
  return operations;
}

function actionOf(
  line: string,
  number: number,
  defaultTarget: string | undefined,
): Omit<BulkOperation, 'source'> {
  const value = parsed(line);
  if (value === undefined) {
    const reason = `[${number}:1] Unexpected character in an action/metadata line`;
    throw new ElasticRefusal(400, { type: 'x_content_parse_exception', reason });
  }
  const [[name = '', given] = []] = Object.entries(isObject(value) ? value : {});
  const action = ACTIONS.find((each) => each === name);
  if (!isObject(value) || action === undefined || Object.keys(value).length !== 1 || !isObject(given)) {
    const expected = 'expected one field of [create], [delete], [index] or [update] with an object';
    throw illegalArgument(`Malformed action/metadata line [${number}], ${expected}, found [${name}]`);
  }
  const unknown = Object.keys(given).find((each) => !KNOWN.includes(each));
  if (unknown !== undefined) {
    throw illegalArgument(`Action/metadata line [${number}] contains an unknown parameter [${unknown}]`);
  }
  const id = textOf(given._id);
  if (id === '') throw illegalArgument('if _id is specified it must not be empty');
  if (id !== undefined && Buffer.byteLength(id) > MAX_ID_BYTES) {
    throw invalid(
      number,
      `id [${id}] is too long, must be no longer than 512 bytes but was: ${Buffer.byteLength(id)}`,
    );
  }
  const target = textOf(given._index) ?? defaultTarget;
  if (target === undefined || target === '') throw invalid(number, 'index is missing');
  return { action, target, id };
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(number: number, what: string): ElasticRefusal {
  const reason = `Validation Failed: ${number}: ${what};`;
  return new ElasticRefusal(400, { type: 'action_request_validation_exception', reason });
}
