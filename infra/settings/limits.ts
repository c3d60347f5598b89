/** 40 × (5 resources and 6 alarms) and what a stack's organizations share stay below 450 resources (design §8). */
export const ORGANIZATIONS_PER_STACK = 40;

/**
 * 44 × (4 resources, 4 alarms and 2 secrets, which an organization's environments share) and what a stack's functions
 * share stay below 450 resources. The organization's collector stack would have no room: 40 organizations fill it, and
 * one that came to want its identity records would have to move, and lose its secret with it.
 */
export const IDENTITY_FUNCTIONS_PER_STACK = 44;

/** A week: what a walk is compared with must outlast the wait for the next and the mending of trouble (archive.ts). */
export const LONGEST_WALK_PERIOD_HOURS = 168;

/** Of all names in `authorities` and `redact` of one organization: a function's environment has 4 KB in all. */
export const MAX_IDENTITY_NAMES_CHARACTERS = 1200;

/** Each is named with its queue's URL in every function's environment, which Lambda holds to 4 KB. */
export const MAX_DESTINATIONS = 10;

/** Each is a secret of the foundation stack. */
export const MAX_SHARED_CREDENTIALS = 100;

/** The provider's own recommendation (logs-v1.md, "Limits"). */
export const RECOMMENDED_MINUTES = 5;

/**
 * Periods that divide the hour, since a cron expression repeats within it. None above 30: a log that has no token yet
 * is served for one hour back, and a read more than 50 minutes after the last one counts as a gap. None of 1: Lambda
 * keeps an asynchronous event for a minute at least, and it must be gone before the next one.
 */
export const PERIODS = [2, 3, 4, 5, 6, 10, 12, 15, 20, 30] as const;

/** What CloudWatch Logs offers (CDK's `RetentionDays`), from a week on. */
export const LOG_DAYS = [
  7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** S3 moves nothing to infrequent access before. */
export const MIN_INFREQUENT_ACCESS_DAYS = 30;

/** A message waits for 14 days at most, dead letters included, and a replay wants as long again: its object must be there. */
export const MIN_ARCHIVE_DAYS = 30;
