import { createRandom, mixSeeds, type Random } from '../../local/provider/random.ts';

/** What can be told of a moment before it comes: all of it is drawn from the seed. */
export type Incident = { readonly atMs: number } & Trouble;

type Trouble =
  /** The next `times` answers of the provider on such paths. */
  | {
      readonly kind: 'provider';
      readonly path: ProviderPath;
      readonly times: number;
      readonly fault: ProviderFault;
    }
  /** The next `times` answers of a sink. */
  | { readonly kind: 'sink'; readonly sink: SinkName; readonly times: number; readonly fault: SinkFault }
  /** The next `times` requests of one operation of AWS. */
  | { readonly kind: 'aws'; readonly operation: string; readonly times: number; readonly fault: AwsFault }
  /** All answers of AWS come this much later, until the next such incident. */
  | { readonly kind: 'aws-latency'; readonly delayMs: number }
  /** Time passes at the queues: what was hidden shows again, whether or not somebody still works on it. */
  | { readonly kind: 'queue-time'; readonly forwardMs: number }
  /** The clock of the runs is set: ahead of true time, or behind it. */
  | { readonly kind: 'clock'; readonly process: string; readonly offsetMs: number }
  | { readonly kind: 'kill'; readonly process: string }
  /** The process stands still (SIGSTOP), and then goes on. */
  | { readonly kind: 'stall'; readonly process: string; readonly forMs: number }
  /** A second one of its kind is started beside it. */
  | { readonly kind: 'twin'; readonly process: string };

export type ProviderPath = '/logs/' | '/identities/' | '/';
export type SinkName = 'splunk' | 'elastic';

export type ProviderFault =
  | { readonly kind: 'status'; readonly status: number; readonly body?: string; readonly retryAfter?: number }
  | { readonly kind: 'html' | 'reset' | 'repeated-token' | 'null-token' | 'missing-token' }
  | { readonly kind: 'pretty' | 'shifted-order' | 'cut-body' | 'half-body' }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'drip'; readonly pauseMs: number; readonly pieceBytes: number };

export type SinkFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: number;
      readonly takesEffect: boolean;
    }
  | { readonly kind: 'reset' | 'hang'; readonly takesEffect: boolean }
  | { readonly kind: 'cut-body' }
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Some of the events only: as many as `share` of a request, or each with that probability. */
  | { readonly kind: 'partial'; readonly share: number };

type AwsFault =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'refuse' | 'lose-answer' | 'cut-answer' | 'hang' };

/** What there is to be troubled. */
export interface Targets {
  /** Processes that survive being killed, and how often each of them is, once in so many seconds. */
  readonly kills: Readonly<Record<string, number>>;
  readonly stalls: readonly string[];
  /** Processes whose clock may be set. */
  readonly clocks: readonly string[];
  readonly twins: readonly string[];
  /** Whether AWS is there to misbehave. */
  readonly aws: boolean;
}

/** Of a run, from its start to the calm, in order. The same parameters give the same plan on every machine. */
export function planOf(seed: number, durationMs: number, targets: Targets): readonly Incident[] {
  const incidents: Incident[] = [];
  let stream = 0;
  const scatter = (everyMs: number, draw: (random: Random) => Trouble) => {
    const random = createRandom(mixSeeds(seed, ++stream));
    for (let at = 0; ; ) {
      at += Math.ceil(2 * everyMs * random.next());
      if (at >= durationMs) return;
      incidents.push({ atMs: at, ...draw(random) });
    }
  };
  scatter(2000, providerTrouble);
  scatter(1800, sinkTrouble);
  for (const [process, everySeconds] of Object.entries(targets.kills)) {
    scatter(everySeconds * 1000, () => ({ kind: 'kill', process }));
  }
  for (const process of targets.stalls) {
    scatter(25_000, (random) => ({ kind: 'stall', process, forMs: random.whole(200, 4000) }));
  }
  for (const process of targets.clocks) {
    scatter(15_000, (random) => ({ kind: 'clock', process, offsetMs: jump(random) }));
  }
  for (const process of targets.twins) scatter(9000, () => ({ kind: 'twin', process }));
  if (targets.aws) {
    scatter(800, awsTrouble);
    scatter(12_000, (random) => ({
      kind: 'aws-latency',
      delayMs: random.chance(0.5) ? 0 : random.whole(5, 250),
    }));
    scatter(2500, (random) => ({ kind: 'queue-time', forwardMs: random.whole(5, 90) * 1000 }));
  }
  return incidents.sort((a, b) => a.atMs - b.atMs);
}

const STALE_TOKEN = JSON.stringify({
  detail: [{ loc: ['query', 'nextToken'], msg: 'the token is not known', type: 'value_error' }],
});

function providerTrouble(random: Random): Trouble {
  const path = random.pick(['/logs/', '/logs/', '/identities/', '/']);
  const times = random.whole(1, 4);
  const lasting = { kind: 'provider', path, times } as const;
  const once = { ...lasting, times: 1 } as const;
  switch (random.whole(0, 13)) {
    case 0:
      return { ...lasting, fault: { kind: 'status', status: random.pick([500, 502, 503, 504]) } };
    case 1:
      return { ...lasting, fault: { kind: 'status', status: 429, retryAfter: random.whole(0, 2) } };
    case 2:
      return { ...lasting, fault: { kind: 'reset' } };
    case 3:
      return { ...lasting, fault: { kind: random.pick(['cut-body', 'half-body']) } };
    case 4:
      return { ...lasting, fault: { kind: 'delay', delayMs: random.whole(50, 1500) } };
    case 5:
      return {
        ...once,
        fault: { kind: 'drip', pauseMs: random.whole(1, 40), pieceBytes: random.whole(500, 4000) },
      };
    case 6:
      return { ...lasting, fault: { kind: 'html' } };
    case 7:
      return { ...once, fault: { kind: 'redirect', location: 'https://elsewhere.example/' } };
    case 8:
      return { ...lasting, fault: { kind: random.pick(['pretty', 'shifted-order']) } };
    case 9:
      return { ...once, path: '/logs/', fault: { kind: random.pick(['null-token', 'missing-token']) } };
    case 10:
      return { ...once, path: '/logs/', fault: { kind: 'repeated-token' } };
    case 11:
      return { ...once, path: '/logs/', fault: { kind: 'status', status: 422, body: STALE_TOKEN } };
    case 12:
      return { ...lasting, fault: { kind: 'status', status: random.pick([400, 404, 410]) } };
    default:
      return { ...once, fault: { kind: 'status', status: random.pick([401, 403]) } };
  }
}

function sinkTrouble(random: Random): Trouble {
  const lasting = {
    kind: 'sink',
    sink: random.pick(['splunk', 'elastic']),
    times: random.whole(1, 5),
  } as const;
  const takesEffect = random.chance(0.5);
  switch (random.whole(0, 8)) {
    case 0:
      return { ...lasting, fault: { kind: 'status', status: random.pick([500, 502, 503]), takesEffect } };
    case 1:
      return {
        ...lasting,
        fault: { kind: 'status', status: 429, retryAfter: random.whole(0, 2), takesEffect: false },
      };
    case 2:
      return { ...lasting, fault: { kind: 'reset', takesEffect } };
    case 3:
      return { ...lasting, times: 1, fault: { kind: 'hang', takesEffect } };
    case 4:
      return { ...lasting, fault: { kind: 'cut-body' } };
    case 5:
      return { ...lasting, fault: { kind: 'delay', delayMs: random.whole(50, 700) } };
    case 6:
      return {
        ...lasting,
        times: 1,
        fault: { kind: 'status', status: random.pick([401, 403]), takesEffect: false },
      };
    default:
      return { ...lasting, fault: { kind: 'partial', share: random.next() } };
  }
}

const OPERATIONS = [
  'PutObject',
  'HeadObject',
  'GetObject',
  'UpdateItem',
  'GetItem',
  'SendMessage',
  'ChangeMessageVisibility',
  'ReceiveMessage',
  'DeleteMessage',
  'GetSecretValue',
] as const;

function awsTrouble(random: Random): Trouble {
  const operation = random.pick(OPERATIONS);
  const few = { kind: 'aws', operation, times: random.whole(1, 4) } as const;
  // More than the SDK tries: the run itself has to see it.
  const many = { ...few, times: random.whole(4, 9) };
  switch (random.whole(0, 6)) {
    case 0:
      return { ...many, fault: throttling(operation) };
    case 1:
      return { ...few, fault: { kind: 'status', status: random.pick([500, 503]) } };
    case 2:
      return { ...many, fault: { kind: 'refuse' } };
    case 3:
      return { ...few, fault: { kind: 'cut-answer' } };
    case 4:
      return { ...few, times: 1, fault: { kind: 'hang' } };
    default:
      return { ...few, fault: { kind: 'lose-answer' } };
  }
}

function throttling(operation: string): AwsFault {
  if (operation.endsWith('Object')) return { kind: 'status', status: 503 };
  const type = operation.endsWith('Item')
    ? 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'
    : 'ThrottlingException';
  return { kind: 'answer', status: 400, body: JSON.stringify({ __type: type, message: 'Rate exceeded' }) };
}

const MINUTE_MS = 60_000;

/** Half of the time back to the truth. */
function jump(random: Random): number {
  if (random.chance(0.5)) return 0;
  const farMs = random.pick([2 * MINUTE_MS, 20 * MINUTE_MS, 3 * 60 * MINUTE_MS, 26 * 60 * MINUTE_MS]);
  return random.chance(0.5) ? farMs : -farMs;
}

/** One line for each incident: what a run printed can be compared with another's. */
export function described({ atMs, kind, ...rest }: Incident): string {
  const what = Object.values(rest).map((part) =>
    typeof part === 'object' ? Object.values(part).join(' ') : String(part),
  );
  return `${(atMs / 1000).toFixed(2).padStart(8)} s  ${kind} ${what.join(' ')}`;
}
