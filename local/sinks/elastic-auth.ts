import { ElasticRefusal } from './elastic-answers.ts';
import type { SinkCall } from './sink-server.ts';

/** One who may call, and the indices and data streams that they may write to. */
export interface ElasticCredential {
  /** As it is sent: base64 of `id:key`. Either this, or name and password. */
  readonly apiKey?: string;
  readonly username?: string;
  readonly password?: string;
  /** Names or patterns (`*`). Default: all. */
  readonly mayWrite?: readonly string[];
}

/** Whose call it is. Throws Elasticsearch's 401 where it is nobody's; without credentials, everybody may call. */
export function authenticate(call: SinkCall, credentials: readonly ElasticCredential[]): ElasticCredential {
  if (credentials.length === 0) return {};
  const { authorization } = call.headers;
  if (authorization === undefined) {
    throw refusal(`missing authentication credentials for REST request [${call.path}]`);
  }
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  const known = credentials.find((each) => value !== '' && value === secretFor(scheme.toLowerCase(), each));
  if (known === undefined) {
    throw refusal(
      'unable to authenticate with provided credentials and anonymous access is not allowed for this request',
    );
  }
  return known;
}

/** Whether a name is one of the patterns' (`*` stands for anything). */
export function matches(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => {
    const [head = '', ...rest] = pattern.split('*');
    const tail = rest.at(-1);
    return tail === undefined ? name === head : name.startsWith(head) && name.endsWith(tail);
  });
}

function secretFor(scheme: string, { apiKey, username, password }: ElasticCredential): string | undefined {
  if (scheme === 'apikey') return apiKey;
  if (scheme !== 'basic' || username === undefined) return undefined;
  return Buffer.from(`${username}:${password ?? ''}`).toString('base64');
}

function refusal(reason: string): ElasticRefusal {
  const challenge = ['Basic realm="security", charset="UTF-8"', 'ApiKey'];
  return new ElasticRefusal(401, { type: 'security_exception', reason }, { 'www-authenticate': challenge });
}
