import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LOG_SUBTYPES, LOG_TYPES, type LogEvent, SERVICES } from '../../../local/provider/event.ts';
import { createLiveTraffic, generateTraffic } from '../../../local/provider/traffic.ts';
import { busyness } from '../../../local/provider/traffic-clock.ts';
import { DAY, MINUTE, NOON, ORG_URL, start } from './support.ts';

const HOUR = 60 * MINUTE;
const SOURCE = { seed: 11, orgUrl: ORG_URL, orgDomain: 'institution.edu', tenant: 'institution' };
const SPAN = { ...SOURCE, fromMs: NOON - HOUR, toMs: NOON, count: 5000 };

const timeOf = (event: LogEvent) => Date.parse(event.timeStampISO);
const textOf = (events: Iterable<LogEvent>) => [...events].map((event) => JSON.stringify(event)).join('\n');

describe('a backlog', () => {
  it('is the same for the same seed, byte for byte, and on every machine', () => {
    const text = textOf(generateTraffic(SPAN));
    expect(textOf(generateTraffic(SPAN))).toBe(text);
    expect(textOf(generateTraffic({ ...SPAN, seed: 12 }))).not.toBe(text);
    expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
      `"8d3d05dc35ec57b4a7aeee6ab4eec47f14e48ba7edc53b3db8504711400713c2"`,
    );
  });

  it('has exactly the events asked for, in time order, inside the span', () => {
    for (const count of [0, 1, 2, 999]) {
      const times = [...generateTraffic({ ...SPAN, count })].map(timeOf);
      expect(times).toHaveLength(count);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(times.every((time) => time >= SPAN.fromMs && time < SPAN.toMs)).toBe(true);
    }
  });

  it('follows the day: quiet at night, busy in the morning', () => {
    const perHour = new Array<number>(24).fill(0);
    const span = { ...SOURCE, fromMs: NOON - 2 * DAY, toMs: NOON, count: 48_000 };
    for (const event of generateTraffic(span)) {
      const hour = new Date(timeOf(event)).getUTCHours();
      perHour[hour] = (perHour[hour] ?? 0) + 1;
    }
    perHour.forEach((events, hour) => {
      expect(events / 2000).toBeCloseTo(busyness(Date.UTC(2026, 0, 1, hour)), 1);
    });
    expect(Number(perHour[10])).toBeGreaterThan(10 * Number(perHour[3]));
  });

  it('uses every listed value, emailMFA among them, in events of a plausible size', () => {
    const events = [...generateTraffic({ ...SPAN, count: 20_000 })];
    const values = (key: 'logType' | 'logSubtype' | 'service') => new Set(events.map((event) => event[key]));
    expect(values('logType')).toEqual(new Set(LOG_TYPES));
    expect(values('logSubtype')).toEqual(new Set(LOG_SUBTYPES));
    expect(values('service')).toEqual(new Set(SERVICES));
    const mean = textOf(events).length / events.length;
    expect(mean).toBeGreaterThan(500);
    expect(mean).toBeLessThan(700);
  });

  it('has the keys that deployed providers write into logData', () => {
    const events = [...generateTraffic({ ...SPAN, count: 20_000 })];
    const keys = new Set(events.flatMap((event) => Object.keys(event.logData)));
    for (const key of [
      'spEntityId',
      'spentityid',
      'eppn',
      'mail',
      'uid',
      'sp',
      'saml_idp',
      'cas_service',
      'cas_client_ip',
      'user',
    ]) {
      expect(keys).toContain(key);
    }
    expect(events.some((event) => event.logData.user === event.clientIP)).toBe(true);
  });

  it('takes its addresses from the ranges set aside for documentation', () => {
    const allowed = /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$|^2001:db8:/;
    expect([...generateTraffic(SPAN)].filter(({ clientIP }) => !allowed.test(clientIP))).toEqual([]);
  });

  it('tells whole sign-ins, from request to logout, under one correlationId', () => {
    const stories = new Map<string, LogEvent[]>();
    for (const event of generateTraffic({ ...SPAN, count: 20_000 })) {
      stories.set(event.correlationId, [...(stories.get(event.correlationId) ?? []), event]);
    }
    const plots = [...stories.values()].map((events) =>
      events.map(({ logType, logSubtype }) => `${logType}/${logSubtype}`).join(' '),
    );
    const told = (pattern: RegExp) => plots.filter((plot) => pattern.test(plot)).length;
    expect(
      told(
        /^authentication\/request (authentication\/failure )*authentication\/authenticationSuccess .*authentication\/success authentication\/logout$/,
      ),
    ).toBeGreaterThan(10);
    expect(told(/^authentication\/request authentication\/failure /)).toBeGreaterThan(10);
    expect(
      told(/^cas\/login .*cas\/(serviceValidate|validate|samlValidate)( cas\/logout)?$/),
    ).toBeGreaterThan(10);
    expect(told(/^oidc\/authorize .*oidc\/token oidc\/idToken oidc\/userinfo/)).toBeGreaterThan(10);
    expect(told(/MFA\/request (MFA\/\w+ )?MFA\/success/)).toBeGreaterThan(10);
    expect(
      told(/emailMFA\/send email\/queued sending\/send sending\/sent .*emailMFA\/success/),
    ).toBeGreaterThan(10);
    expect(told(/^password\/request email\/queued sending\/send sending\/sent password\//)).toBeGreaterThan(
      3,
    );
    expect(told(/^create\/request create\/success/)).toBeGreaterThan(3);
    expect(
      [...stories.values()].every((events) => new Set(events.map(({ clientIP }) => clientIP)).size === 1),
    ).toBe(true);
  });

  it('names the tenant after the domain when none is given', () => {
    const { tenant: _tenant, ...source } = SPAN;
    expect([...generateTraffic({ ...source, count: 1 })][0]?.tenant).toBe('institution');
  });
});

describe('live traffic', () => {
  const since = NOON - 10 * MINUTE;

  it('brings the same events however often it is asked', () => {
    const once = createLiveTraffic({ ...SOURCE, sinceMs: since }).until(since + 2 * HOUR);
    const live = createLiveTraffic({ ...SOURCE, sinceMs: since });
    const often: LogEvent[] = [];
    for (let now = since; now <= since + 2 * HOUR; now += 7 * MINUTE + 13) often.push(...live.until(now));
    often.push(...live.until(since + 2 * HOUR));
    expect(textOf(often)).toBe(textOf(once));
    expect(once.length).toBeGreaterThan(7000);
    expect(live.until(since + 2 * HOUR)).toEqual([]);
    const times = once.map(timeOf);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.every((time) => time > since && time <= since + 2 * HOUR)).toBe(true);
  });

  it('goes on after a restart from the newest event stored, losing and repeating none', () => {
    const whole = createLiveTraffic({ ...SOURCE, sinceMs: since }).until(since + HOUR);
    const before = createLiveTraffic({ ...SOURCE, sinceMs: since }).until(since + 17 * MINUTE);
    const newest = before.at(-1);
    const after = createLiveTraffic({ ...SOURCE, sinceMs: newest ? timeOf(newest) : 0 }).until(since + HOUR);
    expect(textOf([...before, ...after])).toBe(textOf(whole));
  });
});

it('makes and stores 100,000 events in a few seconds', async () => {
  await using provider = await start();
  const startedAt = performance.now();
  provider.append(ORG_URL, generateTraffic({ ...SPAN, count: 100_000 }));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(provider.count(ORG_URL)).toBe(100_000);
  expect(Number(provider.newestMs(ORG_URL))).toBeLessThan(NOON);
});
