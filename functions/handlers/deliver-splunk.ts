import { HEC_SECRET } from '../adapters/sink-secrets.ts';
import { createSplunkHecSink } from '../adapters/splunk-hec-sink.ts';
import { type DeliverOverrides, openDeliverContainer } from './deliver-container.ts';
import { splunkEnvironment } from './deliver-environment.ts';
import { type DeliverHandler, deliverHandler } from './deliver-messages.ts';

/** The function that delivers to one Splunk, by its HTTP Event Collector. The environment says all. */
export function makeHandler(overrides: DeliverOverrides = {}): DeliverHandler {
  return deliverHandler(() => {
    const env = splunkEnvironment(overrides.env ?? process.env);
    const {
      ORGLOG_SPLUNK_INDEX: index,
      ORGLOG_SPLUNK_HOST: host,
      ORGLOG_SPLUNK_SOURCE: source,
      ORGLOG_SPLUNK_SOURCETYPE: sourcetype,
    } = env;
    return openDeliverContainer(
      env,
      HEC_SECRET,
      (connection, clock) =>
        createSplunkHecSink({
          ...connection,
          clock,
          sourcetype,
          acknowledge: env.ORGLOG_SPLUNK_ACKNOWLEDGE === 'true',
          ...(index !== undefined && { index }),
          ...(host !== undefined && { host }),
          ...(source !== undefined && { source }),
        }),
      overrides,
    );
  });
}

export const handler: DeliverHandler = makeHandler();
