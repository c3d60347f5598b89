import type { LogQueryProps } from './log-query.ts';

type Query = Omit<LogQueryProps, 'logGroups'>;

/**
 * What the dashboard asks of the lines that end runs and warn (functions/adapters/telemetry.ts). Figures that are no
 * metrics cost nothing until somebody looks: a query reads about 10 MB per organization and month.
 */
const A_RUN = 'filter ispresent(outcome)';

export const ORGANIZATION_QUERIES = {
  lastSuccess: {
    title: 'Last success, longest ago first (not listed: none in this time)',
    query: [
      'filter outcome in ["caught-up", "time-up"]',
      'stats latest(@timestamp) as lastSuccess, sum(events) as collected, latest(behindSeconds) as secondsBehind, latest(lagSeconds) as newestEventSecondsAgo by org',
      'sort lastSuccess asc',
      'limit 25',
    ],
  },
  failures: {
    title: 'Runs that failed, and why the last one did',
    query: [
      'filter outcome = "failed"',
      'stats count() as failures, latest(@timestamp) as last, latest(error.code) as code, latest(error.message) as message by org',
      'sort failures desc',
      'limit 25',
    ],
  },
  events: {
    title: 'Events collected',
    view: 'timeSeries',
    query: [A_RUN, 'stats sum(events) as collected by bin(15m)'],
  },
  eventsByOrganization: {
    title: 'Events by organization, most first',
    query: [
      A_RUN,
      'stats sum(events) as collected, sum(bytes) as eventBytes, sum(repeats) as repeatsTakenOut, count() as runs by org',
      'sort collected desc',
      'limit 25',
    ],
  },
  gaps: {
    title: 'Gaps: stretches that could not be read',
    query: [
      'filter ispresent(gap.reason)',
      'fields @timestamp, org, gap.from, gap.to, gap.reason',
      'sort @timestamp desc',
      'limit 25',
    ],
  },
  providerErrors: {
    title: "The provider's errors (retried within a run)",
    query: [
      'filter ispresent(providerErrors4xx) or ispresent(providerErrors5xx) or ispresent(providerErrorsOther)',
      'stats sum(providerErrors4xx) as of4xx, sum(providerErrors5xx) as of5xx, sum(providerErrorsOther) as network, sum(throttles) as throttled by org',
      'sort of5xx desc',
      'limit 25',
    ],
  },
  drift: {
    title: 'Drift: events not as documented, passed on as they came',
    query: [
      'filter ispresent(what)',
      'stats count() as runs, latest(@timestamp) as last by org, what',
      'sort runs desc',
      'limit 25',
    ],
  },
  notQueued: {
    title: 'Queues that refused a message',
    query: [
      'filter ispresent(destination) and ispresent(reason)',
      'stats count() as refusals, latest(@timestamp) as last, latest(reason) as why by destination, org',
      'sort last desc',
      'limit 25',
    ],
  },
} as const satisfies Record<string, Query>;

/** Of the lines of functions/adapters/sync-telemetry.ts. */
export const IDENTITY_QUERIES = {
  walks: {
    title: 'Identity records: last whole snapshot, longest ago first (not listed: none in this time)',
    query: [
      'filter outcome = "complete"',
      'stats latest(@timestamp) as finished, latest(walk) as walkNumber, latest(identities) as records by org, environment',
      'sort finished asc',
      'limit 25',
    ],
  },
  failures: {
    title: 'Identity records: runs that failed, and why the last one did',
    query: [
      'filter outcome = "failed"',
      'stats count() as failures, latest(@timestamp) as last, latest(error.code) as code, latest(error.message) as message by org, environment',
      'sort failures desc',
      'limit 25',
    ],
  },
  changes: {
    title: 'Identity records: what happened, most first',
    query: [
      A_RUN,
      'stats sum(byAction.identity.created) as created, sum(byAction.identity.modified) as modified, sum(byAction.identity.removed) as removed, sum(byAction.collection.linked) as linked, sum(byAction.collection.unlinked) as unlinked, sum(events) as total by org, environment',
      'sort total desc',
      'limit 25',
    ],
  },
  reading: {
    title: 'Identity records: pages read, and removals that the provider did not confirm',
    query: [
      A_RUN,
      'stats sum(pages) as pagesRead, sum(unconfirmed) as notConfirmed, sum(runMs) / 1000 as seconds by org, environment',
      'sort pagesRead desc',
      'limit 25',
    ],
  },
} as const satisfies Record<string, Query>;

/** Of the lines of functions/adapters/delivery-telemetry.ts. */
export const DELIVERY_QUERIES = {
  putBack: {
    title: 'Messages put back, and why the last one was',
    query: [
      'filter failed > 0',
      'stats sum(failed) as putBack, latest(@timestamp) as last, latest(failures.0.kind) as kind, latest(failures.0.reason) as why by destination',
      'sort last desc',
      'limit 25',
    ],
  },
  refused: {
    title: 'Events refused for good (under rejected/ in the archive)',
    query: [
      'filter ispresent(line)',
      'stats count() as refused, latest(@timestamp) as last, latest(reason) as why by destination, key',
      'sort last desc',
      'limit 25',
    ],
  },
} as const satisfies Record<string, Query>;

export const COST_QUERIES = {
  compute: {
    title: 'Lambda: invocations and GB-seconds an hour',
    view: 'timeSeries',
    query: [
      'filter @message like /^REPORT /',
      // Parsed, not discovered: @billedDuration is promised for groups that Lambda named only.
      'parse @message /Billed Duration: (?<billedMs>\\d+) ms\\s+Memory Size: (?<memoryMb>\\d+) MB/',
      'stats count() as invocations, sum(billedMs * memoryMb) / 1024000 as gbSeconds by bin(1h)',
    ],
  },
  calls: {
    title: 'Calls and bytes',
    query: [
      'stats sum(pages) as providerPages, sum(batches) as s3Puts, sum(storedBytes) as s3Bytes, sum(announced) as sqsSends, sum(strlen(@message)) as logBytes by @log',
      'sort logBytes desc',
    ],
  },
} as const satisfies Record<string, Query>;
