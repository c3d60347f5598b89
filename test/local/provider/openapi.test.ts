import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import type { Provider } from '../../../local/provider/server.ts';
import { generateTraffic } from '../../../local/provider/traffic.ts';
import { basic, type CallOptions, call, MINUTE, NOON, ORG_URL, OTHER_URL, start, USER } from './support.ts';

/** The JSON texts' own description, as a function that lists what a response breaks. */
async function describedBy(provider: Provider) {
  const document = JSON.parse(
    (await call(provider, { path: '/openapi.json', authorization: undefined })).text,
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addSchema(document, 'openapi');
  const faults = (path: string, status: number, body: unknown) => {
    const operation = `${path.replaceAll('/', '~1')}/get/responses/${status}`;
    const validate = ajv.compile({ $ref: `openapi#/paths/${operation}/content/application~1json/schema` });
    return validate(body) ? [] : validate.errors;
  };
  return { document, faults };
}

const LOGS = '/logs/v1/orgLogs';
const URLS = '/logs/v1/orgUrls';
const wrong = basic({ ...USER, password: 'wrong' });

it('describes version 1.0.3 of the log half with both operations, HTTP Basic and every parameter', async () => {
  await using provider = await start();
  const { document } = await describedBy(provider);
  expect(document.info.version).toBe('1.0.3');
  const paths = Object.keys(document.paths).filter((path) => path.startsWith('/logs/'));
  expect(paths).toEqual([URLS, LOGS]);
  expect(document.components.securitySchemes).toEqual({ basic: { type: 'http', scheme: 'basic' } });
  const { parameters, responses, security } = document.paths[LOGS].get;
  const names = ['orgUrl', 'nextToken', 'limit', 'service', 'logType', 'logSubtype', 'tenant'];
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(names);
  const required = parameters.filter((parameter: { required: boolean }) => parameter.required);
  expect(required.map(({ name }: { name: string }) => name)).toEqual(['orgUrl']);
  expect(Object.keys(responses)).toEqual(['200', '401', '403', '422', '500']);
  expect(Object.keys(document.paths[URLS].get.responses)).toEqual(['200', '401', '500']);
  expect(security).toEqual([{ basic: [] }]);
});

it.each<[string, number, CallOptions]>([
  ['a page', 200, { path: LOGS, query: { orgUrl: ORG_URL } }],
  ['an empty page', 200, { path: LOGS, query: { orgUrl: ORG_URL, tenant: 'none' } }],
  ['the permitted URLs', 200, { path: URLS }],
  ['wrong credentials', 401, { path: LOGS, authorization: wrong }],
  ['wrong credentials', 401, { path: URLS, authorization: wrong }],
  ['a foreign organization', 403, { path: LOGS, query: { orgUrl: OTHER_URL } }],
  ['bad parameters', 422, { path: LOGS, query: { limit: 0 } }],
  ['an unknown token', 422, { path: LOGS, query: { orgUrl: ORG_URL, nextToken: crypto.randomUUID() } }],
])('answers as described: %s (%i)', async (_name, status, options) => {
  await using provider = await start();
  const source = { seed: 8, orgUrl: ORG_URL, orgDomain: 'institution.edu', count: 800 };
  provider.append(ORG_URL, generateTraffic({ ...source, fromMs: NOON - 50 * MINUTE, toMs: NOON }));
  const { faults } = await describedBy(provider);
  const reply = await call(provider, options);
  expect(reply.status).toBe(status);
  expect(faults(String(options.path), status, JSON.parse(reply.text))).toEqual([]);
});

it('answers as described when it fails inside (500)', async () => {
  let readings = Infinity;
  await using provider = await start({
    now: () => {
      if (readings === 0) throw new Error('the clock broke');
      readings -= 1;
      return NOON;
    },
  });
  const { faults } = await describedBy(provider);
  // One reading for the record of the call; the next one, for finding the page, fails.
  readings = 1;
  const reply = await call(provider, { path: LOGS, query: { orgUrl: ORG_URL } });
  expect(reply.status).toBe(500);
  expect(faults(LOGS, 500, JSON.parse(reply.text))).toEqual([]);
  expect(reply.text).not.toContain('clock');
});

it('would notice a body that is not as described', async () => {
  await using provider = await start();
  const { faults } = await describedBy(provider);
  expect(faults(LOGS, 200, { ref: 'x', next: 'y', count: '1', logEvents: [] })).not.toEqual([]);
  expect(faults(LOGS, 422, { detail: [{ loc: ['query'] }] })).not.toEqual([]);
});
