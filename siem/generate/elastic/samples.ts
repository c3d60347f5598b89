import type { EcsDocument } from '../../../functions/core/ecs/document.ts';
import { ecsDocument } from '../../../functions/core/ecs.ts';
import { generateTraffic } from '../../../local/provider/traffic.ts';

const FROM_MS = Date.UTC(2026, 0, 2, 8);
const HOUR_MS = 3_600_000;
export const ORG = 'institution';
const BUCKET = 'orglog-archive-example';
const KEY = `logs/org=${ORG}/dt=2026-01-02/k3v9-000000000001.ndjson.gz`;
export const COLLECTED_AT = Date.UTC(2026, 0, 2, 9, 5);

/** What the agent's aws-s3 input makes of one line. */
export interface AgentEvent {
  readonly '@timestamp': string;
  readonly message: string;
  readonly aws: {
    readonly s3: { readonly bucket: { name: string; arn: string }; readonly object: { key: string } };
  };
  readonly cloud: { readonly provider: 'aws'; readonly region: string };
  readonly input: { readonly type: 'aws-s3' };
  readonly log: { readonly offset: number; readonly file: { readonly path: string } };
  readonly tags: readonly string[];
}

/** A line, as the agent delivers it and as the index holds it. `event.id` is push's: the pipeline makes its own. */
export interface Sample {
  readonly line: string;
  readonly read: AgentEvent;
  readonly document: EcsDocument & Omit<AgentEvent, 'message' | 'tags'>;
}

/** One event of every pair that the stand-in writes, and every kind of trouble. */
export function samples(): Sample[] {
  const lines = [...believable(), ...TROUBLE];
  let offset = 0;
  return lines.map((line, index) => {
    const sample = sampleOf(line, offset, index + 1);
    offset += Buffer.byteLength(line) + 1;
    return sample;
  });
}

export function sampleOf(line: string, offset: number, number: number): Sample {
  const read = agentEvent(line, offset, KEY);
  const eventId = `${ORG}:logs:k3v9:1:${number}`;
  const { message: _message, tags: _tags, ...kept } = read;
  return {
    line,
    read,
    document: { ...kept, ...ecsDocument(line, { org: ORG, eventId, collectedAt: COLLECTED_AT }) },
  };
}

/** The agent reads one queue, whatever the stream, and tags what it reads as the log's. */
export function agentEvent(line: string, offset: number, key: string): AgentEvent {
  return {
    '@timestamp': new Date(COLLECTED_AT).toISOString(),
    message: line,
    aws: { s3: { bucket: { name: BUCKET, arn: `arn:aws:s3:::${BUCKET}` }, object: { key } } },
    cloud: { provider: 'aws', region: 'us-east-1' },
    input: { type: 'aws-s3' },
    log: { offset, file: { path: `https://${BUCKET}.s3.us-east-1.amazonaws.com/${key}` } },
    tags: ['forwarded', 'orglog-events'],
  };
}

function believable(): string[] {
  const orgDomain = 'institution.edu';
  const firsts = new Map<string, string>();
  const traffic = generateTraffic({
    seed: 4,
    orgUrl: `https://${orgDomain}/`,
    orgDomain,
    fromMs: FROM_MS,
    toMs: FROM_MS + HOUR_MS,
    count: 20_000,
  });
  for (const event of traffic) {
    const pair = `${event.logType}/${event.logSubtype}`;
    if (!firsts.has(pair)) firsts.set(pair, JSON.stringify(event));
  }
  return [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}

const deep = `${'{"a":'.repeat(16)}1${'}'.repeat(16)}`;

const TROUBLE: readonly string[] = [
  '{"logType":"biometrics","logSubtype":"scan","timeStampISO":"2026-01-02T08:00:00.123456+01:00","clientIP":"unknown"}',
  '{"logType":"authentication","logSubtype":"failure","timeStampISO":"last Friday","logData":{"user":"192.0.2.7"}}',
  '{"logType":"authentication","logSubtype":"success","timeStampISO":"2026-02-30T08:00:00+00:00","logData":{"user":"rcosta","mail":["r.costa@institution.edu","rc@institution.edu"],"spentityid":"https://wiki.institution.edu/saml"}}',
  '{"logType":7,"logSubtype":null,"timeStampISO":0,"logData":"none","clientIP":["192.0.2.1"],"service":{}}',
  `{"logType":"oidc","logSubtype":"token","timeStampISO":"2026-01-02T08:00:00Z","logData":{"client_id":"wiki","eppn":"rcosta@","tree":${deep}}}`,
  '{"logType":"cas","logSubtype":"error","logSubtype":"validate","timeStampISO":"2026-01-02T08:00:00Z","logData":{"cas_client_ip":"2001:db8::7","error":"","reason":"ticket expired"}}',
  '["an","event","that","is","none"]',
  '{"logType":"cas"',
];
