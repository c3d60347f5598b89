import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTelemetry } from '../../functions/adapters/telemetry.ts';
import { OrglogError } from '../../functions/core/errors.ts';
import type { RunEvent, RunReport } from '../../functions/core/run.ts';

const TOKEN = '0190d3b8-7c4e-7abc-8def-0123456789ab';
const PASSWORD = 'correct-horse-battery';
const BASIC = Buffer.from(`collector:${PASSWORD}`).toString('base64');
const EVENT = { logType: 'authentication', logData: { user: 'someone@institution.edu' } };

const report: RunReport = {
  outcome: 'caught-up',
  events: 1234,
  bytes: 567_890,
  storedBytes: 56_789,
  pages: 3,
  batches: 1,
  adopted: 0,
  repeats: 2,
  announced: 1,
  owed: { splunk: 0, elastic: 0 },
  gapSeconds: 90,
  gaps: 1,
  drift: 5,
  throttles: 2,
  providerErrors: { '429': 2, '401': 1, '503': 4, '302': 1, network: 3 },
  lagSeconds: 42,
  sequence: 17,
  runMs: 8765,
};

const idle: RunReport = {
  ...report,
  ...{ events: 0, bytes: 0, storedBytes: 0, pages: 0, batches: 0, repeats: 0, announced: 0, owed: {} },
  ...{ gapSeconds: 0, gaps: 0, drift: 0, throttles: 0, providerErrors: {}, runMs: 12 },
};

/** What was written to stdout and stderr, line by line. */
let written: string[];

beforeEach(() => {
  written = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      written.push(
        ...String(chunk)
          .split('\n')
          .filter((line) => line !== ''),
      );
      return true;
    });
  }
});
afterEach(() => void vi.restoreAllMocks());

function records() {
  const parsed = written.map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    metrics: parsed.filter((record) => '_aws' in record),
    lines: parsed.filter((record) => !('_aws' in record)),
  };
}

const count = (name: string) => ({ Name: name, Unit: 'Count' });
const seconds = (name: string) => ({ Name: name, Unit: 'Seconds' });

describe('the end of a run', () => {
  test('is one metric record of the one dimension org: by default only what alarms read', () => {
    createTelemetry({ org: 'institution' }).finish(report);
    expect(records().metrics).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'orglog',
              Dimensions: [['org']],
              Metrics: [seconds('behindSeconds'), seconds('gapSeconds'), count('drift')],
            },
          ],
        },
        org: 'institution',
        behindSeconds: 0,
        gapSeconds: 90,
        drift: 5,
      },
    ]);
  });

  test('is all figures where detailed metrics are asked for', () => {
    createTelemetry({ org: 'institution', level: 'detailed', namespace: 'orglog-test' }).finish({
      ...report,
      outcome: 'time-up',
    });
    expect(records().metrics).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'orglog-test',
              Dimensions: [['org']],
              Metrics: [
                seconds('behindSeconds'),
                seconds('gapSeconds'),
                count('drift'),
                count('events'),
                { Name: 'bytes', Unit: 'Bytes' },
                count('pages'),
                count('batches'),
                seconds('lagSeconds'),
                count('throttles'),
                count('providerErrorsOther'),
                count('providerErrors4xx'),
                count('providerErrors5xx'),
                count('leaseBusy'),
                { Name: 'runMs', Unit: 'Milliseconds' },
              ],
            },
          ],
        },
        org: 'institution',
        events: 1234,
        bytes: 567_890,
        pages: 3,
        batches: 1,
        behindSeconds: 42,
        lagSeconds: 42,
        gapSeconds: 90,
        drift: 5,
        throttles: 2,
        providerErrors4xx: 3,
        providerErrors5xx: 4,
        providerErrorsOther: 4,
        leaseBusy: 0,
        runMs: 8765,
      },
    ]);
  });

  test('of a healthy month is one metric', () => {
    const telemetry = createTelemetry({ org: 'institution' });
    telemetry.finish(idle);
    telemetry.finish({
      ...idle,
      events: 1000,
      pages: 2,
      batches: 1,
      throttles: 3,
      providerErrors: { '503': 3 },
    });
    expect(records().metrics.map(({ _aws, ...sent }) => sent)).toEqual([
      { org: 'institution', behindSeconds: 0 },
      { org: 'institution', behindSeconds: 0 },
    ]);
  });

  test('is behind only while the log goes on', () => {
    const telemetry = createTelemetry({ org: 'institution' });
    for (const outcome of ['caught-up', 'time-up'] as const) {
      telemetry.finish({ ...idle, outcome, lagSeconds: 40_000 });
    }
    expect(records().metrics.map(({ behindSeconds }) => behindSeconds)).toEqual([0, 40_000]);
    expect(records().lines).toMatchObject([
      { behindSeconds: 0, lagSeconds: 40_000 },
      { behindSeconds: 40_000, lagSeconds: 40_000 },
    ]);
  });

  test.each(['busy', 'too-soon', 'paused', 'failed'] as const)(
    'that did not read the log (%s) gives no sign of life, and no warning about it',
    (outcome) => {
      createTelemetry({ org: 'institution' }).finish({ ...idle, outcome });
      expect(records().metrics).toEqual([]);
      expect(records().lines).toMatchObject([{ outcome, org: 'institution' }]);
      expect(written).toHaveLength(1);
    },
  );

  test('of which no event is known yet says nothing of the time it is behind', () => {
    const { lagSeconds: _unknown, ...first } = idle;
    const telemetry = createTelemetry({ org: 'institution' });
    telemetry.finish({ ...first, outcome: 'time-up' });
    telemetry.finish(first);
    expect(records().metrics).toMatchObject([{ behindSeconds: 0 }]);
  });

  test('counts a refused credential, and no other failure', () => {
    const telemetry = createTelemetry({ org: 'institution' });
    for (const code of ['credentials-refused', 'forbidden', 'log-stuck', 'object-conflict'] as const) {
      telemetry.finish({ ...idle, outcome: 'failed', error: new OrglogError(code, 'No.') });
    }
    expect(records().metrics.map(({ _aws, ...sent }) => sent)).toEqual([
      { org: 'institution', credentialsRefused: 1 },
    ]);
  });

  test.each<[RunEvent & { kind: 'gap' }, number | undefined]>([
    [{ kind: 'gap', gap: { from: 0, to: 0, reason: 'stale-token' } }, undefined],
    [{ kind: 'gap', gap: { from: 0, to: 400, reason: 'no-token' } }, 1],
    [{ kind: 'gap', gap: { from: 0, to: 0, reason: 'object-missing' } }, 1],
  ])('that misses something alarms, however short it is: %j', (event, gapSeconds) => {
    const telemetry = createTelemetry({ org: 'institution' });
    telemetry.observe(event);
    telemetry.finish({ ...idle, gaps: 1 });
    telemetry.finish(idle);
    expect(records().metrics.map((record) => record.gapSeconds)).toEqual([gapSeconds, undefined]);
  });

  test('of which a destination was not told is a metric of that destination', () => {
    createTelemetry({ org: 'institution' }).finish({ ...idle, owed: { splunk: 0, elastic: 4, spare: 1 } });
    const sent = records().metrics.map(({ _aws, ...fields }) => ({
      ...fields,
      ...Object(_aws).CloudWatchMetrics[0],
    }));
    expect(sent).toEqual([
      {
        Namespace: 'orglog',
        Dimensions: [['destination']],
        Metrics: [count('owed')],
        destination: 'elastic',
        owed: 4,
      },
      {
        Namespace: 'orglog',
        Dimensions: [['destination']],
        Metrics: [count('owed')],
        destination: 'spare',
        owed: 1,
      },
      {
        Namespace: 'orglog',
        Dimensions: [['org']],
        Metrics: [seconds('behindSeconds')],
        org: 'institution',
        behindSeconds: 0,
      },
    ]);
  });

  test('is one line with all the rest', () => {
    createTelemetry({ org: 'institution' }).finish(report);
    const { lines } = records();
    expect(lines).toEqual([
      {
        level: 'INFO',
        message: 'run ended',
        timestamp: expect.any(String),
        service: 'orglog',
        sampling_rate: 0,
        org: 'institution',
        ...report,
        providerErrors4xx: 3,
        providerErrors5xx: 4,
        providerErrorsOther: 4,
        behindSeconds: 0,
      },
    ]);
  });

  test('says why a run failed, and not where the error came from', () => {
    const error = new OrglogError('credentials-refused', `The provider refused the credential: check it.`, {
      cause: new Error(`Authorization: Basic ${BASIC}`),
    });
    createTelemetry({ org: 'institution' }).finish({ ...idle, outcome: 'failed', error });
    const { lines } = records();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'ERROR', message: 'run failed', outcome: 'failed' });
    expect(lines[0]?.error).toEqual({
      code: 'credentials-refused',
      message: 'The provider refused the credential: check it.',
    });
  });

  test('of a busy run counts it', () => {
    const { lagSeconds: _unknown, sequence: _none, ...nothingKnown } = idle;
    createTelemetry({ org: 'institution', level: 'detailed' }).finish({ ...nothingKnown, outcome: 'busy' });
    const { metrics, lines } = records();
    expect(metrics).toHaveLength(1);
    expect(metrics[0]).toMatchObject({ leaseBusy: 1, events: 0, runMs: 12 });
    expect(metrics[0]).not.toHaveProperty('lagSeconds');
    expect(Object.keys(metrics[0] ?? {}).filter((name) => name.startsWith('providerErrors'))).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'INFO', outcome: 'busy' });
    expect(lines[0]).not.toHaveProperty('lagSeconds');
  });

  test('starts the next run at zero', () => {
    const telemetry = createTelemetry({ org: 'institution', level: 'detailed' });
    telemetry.finish(report);
    telemetry.finish({ ...idle, events: 1 });
    const { metrics } = records();
    expect(metrics.map((record) => record.events)).toEqual([1234, 1]);
    expect(metrics.map((record) => record.org)).toEqual(['institution', 'institution']);
    expect(metrics[1]).not.toHaveProperty('providerErrors4xx');
  });

  test('knows no more metric names than listed, whatever the provider answers', () => {
    const providerErrors = Object.fromEntries(
      Array.from({ length: 1000 }, (_, status) => [String(status), 1]),
    );
    createTelemetry({ org: 'institution', level: 'detailed' }).finish({ ...idle, providerErrors });
    const names = Object.keys(records().metrics[0] ?? {}).filter((name) => name.startsWith('providerErrors'));
    expect(names.sort()).toEqual(['providerErrors4xx', 'providerErrors5xx', 'providerErrorsOther']);
    expect(records().metrics[0]).toMatchObject({
      providerErrors4xx: 100,
      providerErrors5xx: 100,
      providerErrorsOther: 800,
    });
  });

  test("goes through a logger and metrics of one's own", () => {
    const logger = new Logger({ serviceName: 'nightly', logLevel: 'ERROR' });
    const metrics = new Metrics({ namespace: 'orglog', defaultDimensions: { stage: 'test' } });
    createTelemetry({ org: 'institution', logger, metrics }).finish(report);
    const recorded = records();
    expect(recorded.lines).toEqual([]);
    expect(recorded.metrics[0]).toMatchObject({ org: 'institution', drift: 5 });
    expect(recorded.metrics[0]).not.toHaveProperty('stage');
  });
});

describe('a step of a run', () => {
  const warned = (...events: RunEvent[]) => {
    const telemetry = createTelemetry({ org: 'institution' });
    for (const event of events) telemetry.observe(event);
    return records().lines.map(({ timestamp, service, sampling_rate, ...line }) => line);
  };

  test.each<[RunEvent, Record<string, unknown>]>([
    [
      { kind: 'gap', gap: { from: 0, to: 90_000, reason: 'stale-token' } },
      {
        message: 'a stretch of the log could not be read',
        gap: { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:01:30.000Z', reason: 'stale-token' },
      },
    ],
    [
      { kind: 'announce-failed', destination: 'splunk', sequence: 7, reason: 'AccessDenied' },
      {
        message: 'a batch could not be queued: it stays owed',
        destination: 'splunk',
        sequence: 7,
        reason: 'AccessDenied',
      },
    ],
    [
      { kind: 'drift', what: 'logType "emailMFA"' },
      { message: 'an event is not as documented: passed on as it is', what: 'logType "emailMFA"' },
    ],
    [
      { kind: 'retry', reason: '503: down for lunch', attempt: 2, delayMs: 1500 },
      { message: 'the provider is asked again', reason: '503: down for lunch', attempt: 2, delayMs: 1500 },
    ],
    [
      { kind: 'smaller-page', limit: 500, reason: 'too slow' },
      { message: 'the provider is asked for smaller pages', limit: 500, reason: 'too slow' },
    ],
  ])('that an operator should know of is a warning: $kind', (event, line) => {
    expect(warned(event)).toEqual([{ level: 'WARN', org: 'institution', ...line }]);
  });

  test('that is all in order is silent', () => {
    expect(
      warned(
        { kind: 'page', events: 1000, bytes: 600_000 },
        { kind: 'batch', key: 'logs/org=institution/x', sequence: 1, events: 1000, storedBytes: 10 },
        { kind: 'adopted', key: 'logs/org=institution/x', sequence: 1, events: 1000 },
        { kind: 'announced', destination: 'splunk', sequence: 1 },
      ),
    ).toEqual([]);
  });

  test('of drift is said once a run for each kind', () => {
    const telemetry = createTelemetry({ org: 'institution' });
    for (const what of ['a', 'a', 'b', 'a']) telemetry.observe({ kind: 'drift', what });
    expect(records().lines.map((line) => line.what)).toEqual(['a', 'b']);
    telemetry.finish(idle);
    telemetry.observe({ kind: 'drift', what: 'a' });
    expect(records().lines.map((line) => line.what)).toEqual(['a', 'b', undefined, 'a']);
  });
});

describe('nothing secret is logged', () => {
  const texts = [
    `GET /logs/v1/orgLogs?nextToken=${TOKEN}&limit=1 failed`,
    `token ${TOKEN.toUpperCase()} was refused`,
    `sent Authorization: Basic ${BASIC}`,
    `Bearer ${BASIC} was refused`,
    `{"username":"collector","password":"${PASSWORD}"}`,
    `options { password: '${PASSWORD}' }`,
    `https://collector:${PASSWORD}@api.institution.edu/ is refused`,
  ];

  test.each(texts)('from a text such as %j', (text) => {
    const telemetry = createTelemetry({ org: 'institution' });
    telemetry.observe({ kind: 'retry', reason: text, attempt: 1, delayMs: 1 });
    telemetry.observe({ kind: 'drift', what: text });
    telemetry.observe({ kind: 'smaller-page', limit: 1, reason: text });
    telemetry.observe({ kind: 'announce-failed', destination: 'splunk', sequence: 1, reason: text });
    telemetry.finish({
      ...idle,
      outcome: 'failed',
      error: new OrglogError('unavailable', text, { cause: new Error(text) }),
      providerErrors: { [text]: 1 },
    });
    expect(records().lines).toHaveLength(5);
    expectNoSecret();
    expect(written.join('\n')).toContain('«redacted»');
  });

  test('from members that do not belong there', () => {
    const more = { token: TOKEN, password: PASSWORD, authorization: BASIC, logEvents: [EVENT], body: EVENT };
    const telemetry = createTelemetry({ org: 'institution' });
    telemetry.observe({ kind: 'gap', gap: { from: 0, to: 1, reason: 'stale-token', ...more }, ...more });
    telemetry.observe({ kind: 'page', events: 1, bytes: 1, ...more });
    telemetry.observe({ kind: 'retry', reason: '503', attempt: 1, delayMs: 1, ...more });
    const error = Object.assign(
      new OrglogError('unavailable', 'The provider is down.', { cause: more }),
      more,
    );
    telemetry.finish({ ...idle, outcome: 'failed', error, ...more });
    expect(records().lines).toHaveLength(3);
    expectNoSecret();
  });

  test('and words about secrets stay readable', () => {
    const message =
      'HTTP Basic credentials were refused: check the password and the secret orglog/institution.';
    createTelemetry({ org: 'institution' }).finish({
      ...idle,
      outcome: 'failed',
      error: new OrglogError('credentials-refused', message),
    });
    expect(records().lines[0]).toMatchObject({ error: { message } });
  });

  function expectNoSecret() {
    const all = written.join('\n');
    expect(all.toLowerCase()).not.toContain(TOKEN);
    for (const secret of [PASSWORD, BASIC, 'someone@']) expect(all).not.toContain(secret);
  }
});
