import { z } from 'zod';
import { parseBaseUrl } from '../functions/adapters/base-url.ts';
import { basicAuthorization } from '../functions/adapters/basic-auth.ts';
import type { PushOrder, SinkName } from '../local/push-sink.ts';

/** A sink as `--push` names it. */
export interface NamedSink {
  readonly name: SinkName;
  /** Absent: the stand-in. */
  readonly url?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES: readonly SinkName[] = ['splunk', 'elastic'];
const EXPECTED = 'expected splunk or elastic, each alone (a stand-in) or with =https://… and its address';
const EXPECTED_URL =
  'expected its address as https (http to this machine only), without credentials, query or hash';

/** The sinks of `--push`: names joined by commas, each at most once, with or without an address. */
export const sinks = z.array(z.string()).transform((values, context) => {
  const found: NamedSink[] = [];
  for (const text of values.flatMap((value) => value.split(','))) {
    const [named = '', url] = text.split(/=(.*)/s, 2);
    const name = NAMES.find((each) => each === named);
    const fault =
      name === undefined
        ? EXPECTED
        : found.some((other) => other.name === name)
          ? `expected ${name} only once`
          : url !== undefined && !isAddress(url)
            ? EXPECTED_URL
            : undefined;
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, params: { shown: text } });
    else if (name !== undefined) found.push(url === undefined ? { name } : { name, url });
  }
  return found;
});

/** What the environment says of the sinks with an address: their credentials, and what is wrong with them. */
export function pushOrders(
  named: readonly NamedSink[],
  env: Environment,
): { readonly orders: readonly PushOrder[]; readonly faults: readonly string[] } {
  const orders: PushOrder[] = [];
  const faults: string[] = [];
  for (const { name, url } of named) {
    if (url === undefined) {
      orders.push({ name });
      continue;
    }
    const credential = name === 'splunk' ? splunkCredential(env) : elasticCredential(env);
    if (credential.kind === 'fault') faults.push(...credential.faults);
    else {
      const { authorization, variables } = credential;
      orders.push({ name, real: { url, authorization, variables } });
    }
  }
  return { orders, faults };
}

type FromEnvironment =
  | { readonly kind: 'credential'; readonly authorization: string; readonly variables: string }
  | { readonly kind: 'fault'; readonly faults: readonly string[] };

function splunkCredential({ ORGLOG_SPLUNK_TOKEN: token }: Environment): FromEnvironment {
  const variables = 'ORGLOG_SPLUNK_TOKEN';
  const fault = visibleFault(token, 'the token of the HTTP Event Collector');
  if (fault !== undefined) return { kind: 'fault', faults: [`${variables} (environment): ${fault}`] };
  return { kind: 'credential', authorization: `Splunk ${token}`, variables };
}

function elasticCredential(env: Environment): FromEnvironment {
  const { ORGLOG_ELASTIC_API_KEY: key, ORGLOG_ELASTIC_USERNAME: username } = env;
  const { ORGLOG_ELASTIC_PASSWORD: password } = env;
  if (key === undefined && (username !== undefined || password !== undefined)) {
    const faults = [
      ...pairFault('ORGLOG_ELASTIC_USERNAME', username, /^[^:\p{Cc}]+$/u, 'no colon'),
      ...pairFault('ORGLOG_ELASTIC_PASSWORD', password, /^\P{Cc}+$/u, 'something'),
    ];
    if (faults.length > 0 || username === undefined || password === undefined) {
      return { kind: 'fault', faults };
    }
    const variables = 'ORGLOG_ELASTIC_USERNAME and ORGLOG_ELASTIC_PASSWORD';
    return { kind: 'credential', authorization: basicAuthorization({ username, password }), variables };
  }
  const variables = 'ORGLOG_ELASTIC_API_KEY';
  const fault = visibleFault(key, 'an API key in its encoded form');
  if (fault === undefined) return { kind: 'credential', authorization: `ApiKey ${key}`, variables };
  const or = key === undefined ? ' (or ORGLOG_ELASTIC_USERNAME and ORGLOG_ELASTIC_PASSWORD)' : '';
  return { kind: 'fault', faults: [`${variables} (environment): ${fault}${or}`] };
}

function visibleFault(value: string | undefined, what: string): string | undefined {
  if (value === undefined) return `not set: expected ${what}`;
  return /^[!-~]+$/.test(value) ? undefined : `expected ${what}: visible characters only, no space`;
}

function pairFault(variable: string, value: string | undefined, form: RegExp, expected: string): string[] {
  if (value === undefined)
    return [`${variable} (environment): not set: expected the other half of the login`];
  if (form.test(value)) return [];
  return [
    `${variable} (environment): expected ${expected}, and no control character (a line break at its end?)`,
  ];
}

function isAddress(text: string): boolean {
  try {
    parseBaseUrl(text);
    return true;
  } catch {
    return false;
  }
}
