import type { Names } from './names.ts';
import type { PushDestination } from './settings/push.ts';
import type { Settings } from './settings/schema.ts';

export interface DeliverEnvironmentProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly destination: PushDestination;
}

/** What functions/handlers/deliver-environment.ts reads; a test gives it to that very reader. */
export function deliverEnvironment(props: DeliverEnvironmentProps): Record<string, string> {
  const { names, settings, destination } = props;
  const { id, kind, push } = destination;
  const common = {
    ORGLOG_DESTINATION: id,
    ORGLOG_ARCHIVE_BUCKET: names.archiveBucket,
    ORGLOG_LEDGER_TABLE: names.ledgerTable,
    ORGLOG_QUEUE_URL: names.queueUrl(names.queue(id)),
    ORGLOG_SECRET_ID: names.sinkSecret(id),
    ORGLOG_SINK_URL: push.url,
    ORGLOG_SINK_CA: push.privateCa,
    ORGLOG_METRICS_NAMESPACE: settings.name,
  };
  const ofKind =
    kind === 'splunk'
      ? {
          ORGLOG_SPLUNK_INDEX: push.index,
          ORGLOG_SPLUNK_HOST: push.host,
          ORGLOG_SPLUNK_SOURCE: push.source,
          ORGLOG_SPLUNK_SOURCETYPE: push.sourcetype,
          ORGLOG_SPLUNK_ACKNOWLEDGE: push.acknowledge?.toString(),
        }
      : { ORGLOG_ELASTIC_DATA_STREAM: push.dataStream };
  return given({ ...common, ...ofKind });
}

/** What is not set is left to the function's own defaults. */
function given(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
