import { asText } from './intrinsics.ts';
import { type Located, resourcesOf, type Synthesized } from './synthesize.ts';

/** One statement of a policy, intrinsic functions worked out. */
export interface Statement {
  /** Logical id of the resource that holds it, and which of its policies. */
  readonly where: string;
  readonly stack: string;
  readonly type: string;
  readonly sid: string;
  readonly effect: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Operator → key → values. */
  readonly conditions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly principals: readonly string[];
}

interface RawStatement {
  Sid?: string;
  Effect: string;
  Action?: unknown;
  NotAction?: unknown;
  Resource?: unknown;
  NotResource?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
  Principal?: unknown;
  NotPrincipal?: unknown;
}

/** Every policy document anywhere in any template, found by its shape: no kind of resource can be forgotten. */
export function statementsOf(deployment: Synthesized): Statement[] {
  return resourcesOf(deployment).flatMap((located) => documentsIn(located.resource.Properties, located));
}

function documentsIn(value: unknown, located: Located, path = ''): Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('Statement' in value && Array.isArray(value.Statement)) {
    return value.Statement.map((raw: RawStatement) => statement(raw, located, path));
  }
  return Object.entries(value).flatMap(([name, inside]) => documentsIn(inside, located, `${path}/${name}`));
}

function statement(raw: RawStatement, { stack, id, resource, template }: Located, path: string): Statement {
  if (raw.NotAction !== undefined || raw.NotResource !== undefined || raw.NotPrincipal !== undefined) {
    throw new Error(`${stack} ${id}${path} says what is not meant, and so allows all else`);
  }
  const texts = (value: unknown): string[] =>
    value === undefined ? [] : [value].flat().map((one) => asText(one, template));
  const principals =
    typeof raw.Principal === 'object' && raw.Principal !== null
      ? Object.values(raw.Principal)
      : [raw.Principal];
  return {
    where: `${id}${path}`,
    stack,
    type: resource.Type,
    sid: raw.Sid ?? '',
    effect: raw.Effect,
    actions: texts(raw.Action),
    resources: texts(raw.Resource),
    conditions: Object.fromEntries(
      Object.entries(raw.Condition ?? {}).map(([operator, keys]) => [
        operator,
        Object.fromEntries(
          Object.entries(keys).map(([key, values]) => [
            key,
            [values].flat().map((one) => (typeof one === 'object' ? asText(one, template) : String(one))),
          ]),
        ),
      ]),
    ),
    principals: principals.flatMap(texts),
  };
}

/** Whether a pattern of IAM's (`*`: any characters, `?`: any one) takes this text. */
export function matches(pattern: string, text: string): boolean {
  const form = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${form}$`).test(text);
}

/** One request, as IAM sees it. */
export interface Request {
  readonly action: string;
  readonly resource: string;
  /** Condition key → its values in this request. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** Whether these statements allow the request: knows the operators that are in use here, and no others. */
export function allows(statements: readonly Statement[], request: Request): boolean {
  const applying = statements.filter(
    ({ actions, resources, conditions }) =>
      actions.some((action) => matches(action, request.action)) &&
      resources.some((resource) => matches(resource, request.resource)) &&
      Object.entries(conditions).every(([operator, keys]) =>
        Object.entries(keys).every(([key, values]) => holds(operator, values, request.context?.[key])),
      ),
  );
  return (
    applying.some(({ effect }) => effect === 'Allow') && applying.every(({ effect }) => effect === 'Allow')
  );
}

function holds(operator: string, values: readonly string[], given: readonly string[] = []): boolean {
  switch (operator) {
    case 'StringEquals':
      return given.length === 1 && values.includes(String(given[0]));
    case 'StringLike':
      return given.length === 1 && values.some((pattern) => matches(pattern, String(given[0])));
    case 'ForAllValues:StringEquals':
      return given.every((one) => values.includes(one));
    case 'ForAnyValue:StringEquals':
      return given.some((one) => values.includes(one));
    case 'Null':
      return String(given.length === 0) === values[0];
    default:
      throw new Error(`the condition operator ${operator} is not known here`);
  }
}
