import type { SQSEvent } from 'aws-lambda';
import { makeHandler as makeCollect } from '../../functions/handlers/collect.ts';
import type { CollectOverrides } from '../../functions/handlers/collect-container.ts';
import type { DeliverOverrides } from '../../functions/handlers/deliver-container.ts';
import { makeHandler as makeDeliver } from '../../functions/handlers/deliver-splunk.ts';
import { makeHandler as makeSync } from '../../functions/handlers/sync-identities.ts';
import type { SyncOverrides } from '../../functions/handlers/sync-identities-container.ts';
import type { Deployment } from '../artefact/deployment.ts';
import { configurationOf, findFunction } from '../artefact/functions.ts';
import { parseOutput } from '../handlers/collect-bed.ts';
import { metricName, type Period } from './cloudwatch-alarms.ts';
import { written } from './written.ts';

export type FunctionKind = 'collect' | 'sync' | 'deliver';

type Invoke = (event: unknown, context: ReturnType<typeof contextOf>) => Promise<unknown>;

/** A function of the templates: its handler in this process, with the environment that it is deployed with. */
export interface AccountFunction {
  readonly name: string;
  readonly logGroup: string;
  /** May be changed by hand, which a new container sees. */
  readonly environment: Record<string, string>;
  /** Reserved concurrency; 0: it is not started. */
  concurrency: number | undefined;
  /** What Lambda leaves to each run, in ms of this machine's time; `undefined`: more than it needs. */
  remainingMs: number | undefined;
  /** Lines of its log. */
  readonly log: string[];
  /** Ends its container and puts back what the template says. */
  deploy(changes?: Readonly<Record<string, string>>): void;
  /** Once, if it may be: what came of it is in the metrics, and in the log. `undefined`: it failed, or was not started. */
  invoke(period: Period, event?: unknown): Promise<unknown>;
}

const HANDLERS: Readonly<Record<FunctionKind, readonly [handler: string, logGroup: string]>> = {
  collect: ['collect.handler', '/orglog/collectors-1'],
  sync: ['sync-identities.handler', '/orglog/identities-1'],
  deliver: ['deliver-splunk.handler', '/orglog/deliver-splunk'],
};

export async function accountFunction(deployment: Deployment, kind: FunctionKind): Promise<AccountFunction> {
  const [handler, logGroup] = HANDLERS[kind];
  const { name, environment: deployed } = await configurationOf(
    deployment,
    findFunction(deployment, { handler }),
  );
  const environment = { ...deployed };
  let container: Invoke | undefined;
  // Nobody waits in the test's time.
  const clock = { now: () => Date.now(), sleep: async () => {} };
  const open = () =>
    newContainer(kind, { env: { ...environment, ...deployment.services.env }, ports: { clock } });
  const fn: AccountFunction = {
    ...{ name, logGroup, environment, concurrency: undefined, remainingMs: undefined, log: [] },
    deploy(changes = {}) {
      Object.assign(environment, deployed, changes);
      container = undefined;
    },
    async invoke(period, event = {}) {
      if (fn.concurrency === 0) return undefined;
      container ??= open();
      const invoke = container;
      const count = (metric: string) =>
        add(period, metricName('AWS/Lambda', metric, [['FunctionName', name]]), 1);
      count('Invocations');
      let answer: unknown;
      const lines = await written(async () => {
        try {
          answer = await invoke(event, contextOf(fn));
        } catch (error) {
          count('Errors');
          fn.log.push(`ERROR\tInvoke Error\t${JSON.stringify({ errorMessage: String(error) })}`);
        }
      });
      fn.log.push(...lines);
      addMetrics(period, lines);
      return answer;
    },
  };
  return fn;
}

function contextOf({ remainingMs = 240_000 }: Pick<AccountFunction, 'remainingMs'>) {
  return { awsRequestId: crypto.randomUUID(), getRemainingTimeInMillis: () => remainingMs };
}

function newContainer(
  kind: FunctionKind,
  options: CollectOverrides & DeliverOverrides & SyncOverrides,
): Invoke {
  if (kind === 'deliver') {
    const deliver = makeDeliver(options);
    return (event, context) => deliver(event as SQSEvent, context);
  }
  const run = kind === 'collect' ? makeCollect(options) : makeSync(options);
  return run;
}

export function add(period: Period, name: string, value: number): void {
  period.set(name, [...(period.get(name) ?? []), value]);
}

/** What stands in the lines as metrics (CloudWatch's embedded metric format). */
function addMetrics(period: Period, lines: readonly string[]): void {
  for (const record of parseOutput(lines.filter((line) => line.startsWith('{'))).metrics) {
    const { CloudWatchMetrics } = record._aws as {
      CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
    };
    for (const { Namespace, Dimensions, Metrics } of CloudWatchMetrics) {
      const dimensions = (Dimensions[0] ?? []).map((name) => [name, String(record[name])] as const);
      for (const { Name } of Metrics) {
        for (const value of [record[Name]].flat())
          add(period, metricName(Namespace, Name, dimensions), Number(value));
      }
    }
  }
}
