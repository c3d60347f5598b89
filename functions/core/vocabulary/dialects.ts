/** What became of it. ECS: `unknown` is an attempt whose result this event does not tell. */
export type Outcome = 'success' | 'failure' | 'unknown';

/**
 * Elastic Common Schema, the categorization fields: https://www.elastic.co/docs/reference/ecs/ecs-allowed-values-event-category
 * lists categories with the types expected in each; …/ecs-allowed-values-event-type and …-event-outcome the others.
 */
export interface EcsMeaning {
  readonly kind: 'event';
  readonly category: readonly ('authentication' | 'email' | 'iam' | 'session' | 'web')[];
  readonly type: readonly ('access' | 'change' | 'creation' | 'end' | 'error' | 'info' | 'start' | 'user')[];
  readonly outcome: Outcome;
}

/**
 * Splunk's Common Information Model: the tags that put an event into a data model, and the values that its searches
 * count by. https://help.splunk.com/data-management/common-information-model/6.1/data-models/authentication, …/change
 * and …/email; machine-readable in github.com/splunk/pytest-splunk-addon (data_models).
 */
export type CimMeaning =
  | {
      readonly model: 'Authentication';
      readonly tags: readonly ['authentication'];
      readonly action: 'success' | 'failure' | 'error';
    }
  | {
      readonly model: 'Change';
      /** The dataset Account_Management. */
      readonly tags: readonly ['change', 'account'];
      readonly action: 'created' | 'modified';
      readonly status: 'success' | 'failure';
      /** Authentication, authorization and accounting. */
      readonly changeType: 'AAA';
      readonly objectCategory: 'user';
    }
  | {
      readonly model: 'Email';
      /** The dataset Delivery. */
      readonly tags: readonly ['email', 'delivery'];
      /** `failed` is none of the prescribed values, but no prescribed one is true of a message nobody refused. */
      readonly action: 'delivered' | 'failed';
      readonly status: 'success' | 'failure';
    };

/**
 * Open Cybersecurity Schema Framework (https://schema.ocsf.io, github.com/ocsf/ocsf-schema): class, activity in that
 * class (99: another one), and status (0 unknown, 1 success, 2 failure). `type_uid` is `classUid * 100 + activityId`.
 */
export interface OcsfMeaning {
  /** 3001 Account Change, 3002 Authentication, 4009 Email Activity, 6003 API Activity, 0 Base Event. */
  readonly classUid: 0 | 3001 | 3002 | 4009 | 6003;
  readonly activityId: number;
  readonly statusId: 0 | 1 | 2;
}
