import { MathExpression, Metric, Row, Stats, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Aws, Duration } from 'aws-cdk-lib/core';
import { DefaultDashboardFactory, MonitoringFacade } from 'cdk-monitoring-constructs';
import { Construct } from 'constructs';
import { DELIVERY_METRICS } from '../../functions/adapters/delivery-telemetry.ts';
import { ALARM_METRICS } from '../../functions/adapters/run-metrics.ts';
import { SYNC_METRICS } from '../../functions/adapters/sync-telemetry.ts';
import type { Archive } from '../archive.ts';
import type { DestinationQueue } from '../destination-queue.ts';
import type { Names } from '../names.ts';
import { hasIdentities } from '../settings/identities.ts';
import { isPushed } from '../settings/push.ts';
import type { Settings } from '../settings/schema.ts';
import type { Tables } from '../tables.ts';
import { COST_QUERIES, DELIVERY_QUERIES, IDENTITY_QUERIES, ORGANIZATION_QUERIES } from './log-queries.ts';
import { LogQuery, type LogQueryProps } from './log-query.ts';

export interface DashboardProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly queues: readonly DestinationQueue[];
  readonly tables: Tables;
  readonly archive: Archive;
}

const HOUR = Duration.hours(1);

/**
 * One dashboard for one organization as for a thousand. It names none: queries find the worst and the busiest among
 * all, and so an organization comes and goes without a change here.
 *
 * cdk-monitoring-constructs lays it out. Its ready-made queue, table and bucket sections are not used: they take a row
 * of graphs for each resource, and what is needed at a glance is one graph for all queues.
 */
export class Dashboard extends Construct {
  readonly #facade: MonitoringFacade;
  readonly #props: DashboardProps;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    this.#props = props;
    this.#facade = new MonitoringFacade(this, 'Monitoring', {
      dashboardFactory: new DefaultDashboardFactory(this, 'Dashboards', {
        dashboardNamePrefix: props.settings.name,
        detailDashboardRange: Duration.hours(24),
      }),
    });
    this.#facade.addWidget(this.#introduction());
    this.#organizations();
    if (props.settings.monitoring === 'detailed') this.#detailed();
    if (this.#followed.length > 0) this.#identities();
    if (props.queues.length > 0) this.#destinations();
    if (this.#pushed.length > 0) this.#delivery();
    this.#costDrivers();
  }

  #introduction(): TextWidget {
    const { name, alarms } = this.#props.settings;
    const console = `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}`;
    return new TextWidget({
      markdown: `# ${name}\n[Alarms](${console}#alarmsV2:?search=${name}%2F) · what each means and what to do: \`${alarms.runbookUrl}\``,
      width: 24,
      height: 2,
    });
  }

  #organizations(): void {
    const { lastSuccess, failures, events, eventsByOrganization } = ORGANIZATION_QUERIES;
    this.#facade.monitorCustom({
      humanReadableName: 'Organizations',
      alarmFriendlyName: 'Organizations',
      metricGroups: [
        {
          title: "Seconds behind the log's end, the ten furthest",
          metrics: [this.#topTen('MAX', ALARM_METRICS.behind, 'org')],
        },
      ],
    });
    const { collectorLogGroups } = this.#props.names;
    this.#queries([collectorLogGroups], lastSuccess, failures);
    this.#queries([collectorLogGroups], events, eventsByOrganization);
    const { gaps, providerErrors, drift, notQueued } = ORGANIZATION_QUERIES;
    this.#queries([collectorLogGroups], providerErrors, drift);
    this.#queries([collectorLogGroups, ...this.#followed], gaps, notQueued);
  }

  #identities(): void {
    this.#facade.monitorCustom({
      humanReadableName: 'Identity records',
      alarmFriendlyName: 'Identities',
      metricGroups: [
        {
          title: 'Age of the last whole snapshot (s), the ten oldest',
          metrics: [this.#topTen('MAX', SYNC_METRICS.snapshotAge, 'org, environment')],
        },
      ],
    });
    const { walks, failures, changes, reading } = IDENTITY_QUERIES;
    this.#queries(this.#followed, walks, failures);
    this.#queries(this.#followed, changes, reading);
  }

  /** What only the detailed level sends: the same figures as graphs, kept for 15 months. */
  #detailed(): void {
    const graph = (title: string, statistic: 'SUM' | 'MAX', metric: string) => ({
      title: `${title}, the ten highest`,
      metrics: [this.#topTen(statistic, metric, 'org')],
    });
    this.#facade.monitorCustom({
      humanReadableName: 'Organizations in detail',
      alarmFriendlyName: 'Detailed',
      metricGroups: [
        graph('Events', 'SUM', 'events'),
        graph('Age of the newest event (s)', 'MAX', 'lagSeconds'),
        graph('Server errors of the provider', 'SUM', 'providerErrors5xx'),
        graph('Length of a run (ms)', 'MAX', 'runMs'),
      ],
    });
  }

  #destinations(): void {
    const { queues, settings } = this.#props;
    const each = (metric: (source: DestinationQueue) => Metric) =>
      queues.map((source) => metric(source).with({ label: source.destination.id }));
    const options = { period: Duration.minutes(5), statistic: Stats.MAXIMUM };
    const sums = { period: HOUR, statistic: Stats.SUM };
    this.#facade.monitorCustom({
      humanReadableName: 'Destinations',
      alarmFriendlyName: 'Destinations',
      metricGroups: [
        {
          title: 'Age of the oldest message (s)',
          metrics: each(({ queue }) => queue.metricApproximateAgeOfOldestMessage(options)),
        },
        {
          title: 'Messages waiting',
          metrics: each(({ queue }) => queue.metricApproximateNumberOfMessagesVisible(options)),
        },
        {
          title: 'Messages done with, an hour',
          metrics: each(({ queue }) => queue.metricNumberOfMessagesDeleted(sums)),
        },
        {
          title: 'Dead letters',
          metrics: each(({ deadLetters }) => deadLetters.metricApproximateNumberOfMessagesVisible(options)),
        },
        {
          title: 'Batches owed (the queue refuses)',
          metrics: each(
            ({ destination }) =>
              new Metric({
                namespace: settings.name,
                metricName: ALARM_METRICS.owed,
                dimensionsMap: { destination: destination.id },
                ...options,
              }),
          ),
        },
      ],
    });
  }

  /** What the names of the log groups begin with of what follows identity records, where anything does. */
  get #followed(): readonly string[] {
    const { names, settings } = this.#props;
    return settings.organizations.some(hasIdentities) ? [names.identityLogGroups] : [];
  }

  /** Ids of the destinations that orglog sends to. */
  get #pushed(): readonly string[] {
    return this.#props.settings.destinations.filter(isPushed).map(({ id }) => id);
  }

  #delivery(): void {
    const sent = (title: string, metricName: string) => ({
      title: `Delivery: ${title}, an hour`,
      metrics: this.#pushed.map(
        (destination) =>
          new Metric({
            namespace: this.#props.settings.name,
            metricName,
            dimensionsMap: { destination },
            statistic: Stats.SUM,
            period: HOUR,
            label: destination,
          }),
      ),
    });
    this.#facade.monitorCustom({
      humanReadableName: 'Delivery by push',
      alarmFriendlyName: 'Delivery',
      metricGroups: [
        sent('events accepted', DELIVERY_METRICS.delivered),
        sent('events refused for good', DELIVERY_METRICS.rejected),
        sent('messages to be tried again', DELIVERY_METRICS.retried),
        sent('messages that wait for an operator', DELIVERY_METRICS.configuration),
      ],
    });
    const { names } = this.#props;
    this.#queries([names.deliverLogGroups], DELIVERY_QUERIES.putBack, DELIVERY_QUERIES.refused);
  }

  #costDrivers(): void {
    const { tables, archive, names } = this.#props;
    const sums = { period: HOUR, statistic: Stats.SUM };
    // Free of charge, once a day; request metrics of S3 would be paid for, and the log lines have them.
    const stored = (metricName: string, storage: string, label: string) =>
      new Metric({
        namespace: 'AWS/S3',
        metricName,
        dimensionsMap: { BucketName: archive.bucket.bucketName, StorageType: storage },
        statistic: Stats.AVERAGE,
        period: Duration.days(1),
        label,
      });
    this.#facade.monitorCustom({
      humanReadableName: 'Cost drivers',
      alarmFriendlyName: 'CostDrivers',
      metricGroups: [
        {
          title: 'DynamoDB: units consumed an hour',
          metrics: [
            tables.cursors.metricConsumedWriteCapacityUnits({ ...sums, label: 'cursors, written' }),
            tables.cursors.metricConsumedReadCapacityUnits({ ...sums, label: 'cursors, read' }),
            tables.ledger.metricConsumedWriteCapacityUnits({ ...sums, label: 'ledger, written' }),
          ],
        },
        {
          title: 'S3: bytes stored',
          metrics: [
            stored('BucketSizeBytes', 'StandardStorage', 'standard'),
            stored('BucketSizeBytes', 'StandardIAStorage', 'infrequent access'),
          ],
        },
        {
          title: 'S3: objects',
          metrics: [stored('NumberOfObjects', 'AllStorageTypes', 'objects')],
        },
      ],
    });
    const delivering = this.#pushed.length > 0 ? [names.deliverLogGroups] : [];
    const logGroups = [names.collectorLogGroups, ...this.#followed, ...delivering];
    this.#queries(logGroups, COST_QUERIES.compute, COST_QUERIES.calls);
  }

  #queries(logGroups: readonly string[], ...queries: Omit<LogQueryProps, 'logGroups'>[]): void {
    this.#facade.addWidget(new Row(...queries.map((query) => new LogQuery({ ...query, logGroups }))));
  }

  /** A Metrics Insights query: it ranks up to 10,000 organizations, where a search shows the first 500 by name. */
  #topTen(statistic: 'SUM' | 'MAX', metric: string, by: string): MathExpression {
    return new MathExpression({
      expression: `SELECT ${statistic}(${metric}) FROM SCHEMA("${this.#props.settings.name}", ${by}) GROUP BY ${by} ORDER BY ${statistic}() DESC LIMIT 10`,
      usingMetrics: {},
      label: '',
      period: Duration.minutes(5),
    });
  }
}
