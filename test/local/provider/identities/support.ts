import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { request } from 'undici';
import { expect } from 'vitest';
import type { ProviderCredential } from '../../../../local/provider/auth.ts';
import { authoritiesOf } from '../../../../local/provider/identities/authorities.ts';
import { fullGrant } from '../../../../local/provider/identities/full-grant.ts';
import type { IdentityGrant } from '../../../../local/provider/identities/permissions.ts';
import type { Provider, ProviderOptions } from '../../../../local/provider/server.ts';
import { basic, NOON, ORG_URL, OTHER_URL, start } from '../support.ts';

export const INSTITUTION = { orgUrl: ORG_URL, orgDomain: 'institution.edu', tenant: 'institution' };
const COLLEGE = { orgUrl: OTHER_URL, orgDomain: 'college.example' };
export const AUTHORITIES = authoritiesOf(ORG_URL);
export const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** May do everything with the institution's identities. */
export const ADMIN = credential('admin', fullGrant(INSTITUTION));
/** The same at the other organization. */
export const STRANGER = credential('stranger', fullGrant(COLLEGE));

export function credential(username: string, identities?: IdentityGrant): ProviderCredential {
  return { username, password: 'secret', orgUrls: [ORG_URL], ...(identities && { identities }) };
}

/** A stand-in with both organizations, in memory, whose clock stands still unless told otherwise. */
export function startIdentities(
  others: readonly ProviderCredential[] = [],
  options: Partial<ProviderOptions> = {},
): Promise<Provider> {
  return start({ credentials: [ADMIN, STRANGER, ...others], now: () => NOON, ...options });
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface AskOptions {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly text?: string;
  readonly contentType?: string;
  readonly as?: ProviderCredential;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON: what it holds is what the tests look at
  readonly json: any;
}

/** One call under `/identities/v1`, its answer checked against the stand-in's own description. */
export async function ask(
  provider: Pick<Provider, 'url'>,
  method: Method,
  path: string,
  { query = {}, body, text, contentType = 'application/json', as = ADMIN }: AskOptions = {},
): Promise<Reply> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const url = `${provider.url}/identities/v1${path}${search.size > 0 ? `?${search}` : ''}`;
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await request(url, {
    method,
    headers: { authorization: basic(as), ...(sent !== undefined && { 'content-type': contentType }) },
    ...(sent !== undefined && { body: sent }),
  });
  const received = await answer.body.text();
  const json = received === '' ? undefined : JSON.parse(received);
  const validate = await describedAnswer(provider, method, path, answer.statusCode);
  if (validate !== undefined) expect(validate(json) ? [] : validate.errors).toEqual([]);
  else expect(json).toBeUndefined();
  return { status: answer.statusCode, headers: answer.headers, json };
}

const documents = new Map<string, Promise<Description>>();

interface Description {
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
  readonly document: any;
  readonly ajv: Ajv2020;
}

export function description({ url }: Pick<Provider, 'url'>): Promise<Description> {
  let found = documents.get(url);
  if (found === undefined) {
    found = load(url);
    documents.set(url, found);
  }
  return found;
}

const loaded = new Map<string, Description>();

/** Every stand-in with the same description shares its compiled checks. */
async function load(url: string): Promise<Description> {
  const text = await (await request(`${url}/openapi.json`)).body.text();
  let found = loaded.get(text);
  if (found === undefined) {
    const document = JSON.parse(text);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    for (const format of ['uri', 'email', 'date-time']) ajv.addFormat(format, isFormat(format));
    ajv.addSchema(document, 'openapi');
    found = { document, ajv };
    loaded.set(text, found);
  }
  return found;
}

function isFormat(format: string): (text: string) => boolean {
  if (format === 'uri') return (text) => URL.canParse(text);
  if (format === 'email') return (text) => text.includes('@');
  return (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/.test(text);
}

/** The check for an answer; `undefined` where the description says that it has no body. Throws where it says nothing. */
async function describedAnswer(
  provider: Pick<Provider, 'url'>,
  method: Method,
  path: string,
  status: number,
): Promise<ValidateFunction | undefined> {
  const { document, ajv } = await description(provider);
  const full = `/identities/v1${path}`;
  const template = Object.keys(document.paths).find(
    (each) =>
      method.toLowerCase() in document.paths[each] &&
      new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(full),
  );
  const name = method.toLowerCase();
  const answer = template && document.paths[template][name].responses[status];
  if (template === undefined || answer === undefined)
    throw new Error(`${method} ${path}: status ${status} is not described`);
  if (answer.content === undefined) return undefined;
  const pointer = `${template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${name}`;
  const $ref = `openapi#/paths/${pointer}/responses/${status}/content/application~1json/schema`;
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
}

export interface Person {
  mail: string;
  givenName: string;
  sn: string;
  [more: string]: unknown;
}

export function person(name: string, more: Record<string, unknown> = {}): Person {
  return { mail: `${name}@institution.edu`, givenName: name, sn: 'Someone', ...more };
}

/** Create an identity and return it; throws on anything but 201. */
export async function createPerson(
  provider: Pick<Provider, 'url'>,
  name: string,
  more: Record<string, unknown> = {},
  options: AskOptions & { readonly environment?: 'test' | 'prod' } = {},
) {
  const path = `/create/${options.environment ?? 'prod'}`;
  const reply = await ask(provider, 'POST', path, { ...options, body: person(name, more) });
  if (reply.status !== 201) throw new Error(`status ${reply.status}: ${JSON.stringify(reply.json)}`);
  return reply.json;
}

/** What a 422 complains about: each `loc` with its type. */
export function complaints({ json }: Reply): string[] {
  return json.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`);
}
