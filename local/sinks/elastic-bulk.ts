import { randomUUID } from 'node:crypto';
import { parsed } from './concatenated-json.ts';
import type { ElasticCause } from './elastic-answers.ts';
import { type ElasticCredential, matches } from './elastic-auth.ts';
import type { BulkOperation } from './elastic-bulk-lines.ts';
import { type ElasticIndices, type ElasticTarget, writeIndex } from './elastic-indices.ts';
import { isDate, type Mapping, misfit } from './elastic-mapping.ts';

/** What becomes of one operation, where it is not carried out. */
export interface ItemFailure {
  readonly status: number;
  readonly error: ElasticCause;
}

/** One entry of `items`, without its action's name. */
export type BulkItem = { readonly status: number; readonly error?: ElasticCause } & Readonly<
  Record<string, unknown>
>;

export interface BulkContext {
  readonly indices: ElasticIndices;
  readonly mapping: Mapping;
  readonly caller: ElasticCredential;
  readonly requireDataStream: boolean;
}

/** Carry out one operation. Its failure is an item like any other: the rest of the request goes on. */
export function bulkItem(operation: BulkOperation, context: BulkContext): BulkItem {
  const { target: name, id = randomUUID(), action } = operation;
  const failed = ({ status, error }: ItemFailure, index = name): BulkItem => ({
    _index: index,
    _id: id,
    status,
    error,
  });
  if (!matches(context.caller.mayWrite ?? ['*'], name)) return failed(unauthorized(name));
  const target = context.indices.forWriting(name);
  if (target === undefined || (context.requireDataStream && !target.isDataStream))
    return failed(missing(name));
  if (target.isDataStream && action !== 'create') {
    return failed(illegal('only write ops with an op_type of create are allowed in data streams'));
  }
  const index = writeIndex(target);
  const present = index.documents.get(id);
  if (action === 'update') return failed(illegal('this stand-in does not update documents'), index.name);
  if (operation.source === undefined) {
    index.documents.delete(id);
    const result = present === undefined ? 'not_found' : 'deleted';
    return success(
      index.name,
      id,
      result,
      present === undefined ? 404 : 200,
      (present?.version ?? 0) + 1,
      index,
    );
  }
  const unfit = refusalOf(operation.source, target, context.mapping);
  if (unfit !== undefined) {
    return failed({ status: 400, error: { type: 'document_parsing_exception', reason: unfit } }, index.name);
  }
  if (present !== undefined && action === 'create')
    return failed(conflict(id, present.version, index), index.name);
  const version = (present?.version ?? 0) + 1;
  index.documents.set(id, { index: index.name, id, version, source: operation.source });
  return present === undefined
    ? success(index.name, id, 'created', 201, version, index)
    : success(index.name, id, 'updated', 200, version, index);
}

function success(
  name: string,
  id: string,
  result: string,
  status: number,
  version: number,
  index: { nextSequence: number },
): BulkItem {
  const sequence = index.nextSequence;
  index.nextSequence += 1;
  const shards = { total: 2, successful: 1, failed: 0 };
  return {
    _index: name,
    _id: id,
    _version: version,
    result,
    _shards: shards,
    _seq_no: sequence,
    _primary_term: 1,
    status,
  };
}

function refusalOf(source: string, { isDataStream }: ElasticTarget, mapping: Mapping): string | undefined {
  const document = parsed(source);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return '[1:1] failed to parse: the document is no JSON object';
  }
  const timestamp = '@timestamp' in document ? document['@timestamp'] : undefined;
  if (isDataStream && timestamp === undefined)
    return '[1:1] failed to parse: data stream timestamp field [@timestamp] is missing';
  if (isDataStream && !isDate(timestamp)) return 'failed to parse field [@timestamp] of type [date]';
  return misfit(document, mapping);
}

function conflict(id: string, version: number, { name, uuid }: { name: string; uuid: string }): ItemFailure {
  const reason = `[${id}]: version conflict, document already exists (current version [${version}])`;
  const where = { index_uuid: uuid, shard: '0', index: name };
  return { status: 409, error: { type: 'version_conflict_engine_exception', reason, ...where } };
}

function missing(name: string): ItemFailure {
  const where = { 'resource.type': 'index_or_alias', 'resource.id': name, index_uuid: '_na_', index: name };
  return {
    status: 404,
    error: { type: 'index_not_found_exception', reason: `no such index [${name}]`, ...where },
  };
}

function unauthorized(name: string): ItemFailure {
  const reason = `action [indices:data/write/bulk[s]] is unauthorized for this caller on indices [${name}], this action is granted by the index privileges [create_doc,create,index,write,all]`;
  return { status: 403, error: { type: 'security_exception', reason } };
}

function illegal(reason: string): ItemFailure {
  return { status: 400, error: { type: 'illegal_argument_exception', reason } };
}
