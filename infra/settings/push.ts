import * as z from 'zod';
import { sinkUrl, strict, text } from './forms.ts';
import type { DestinationSettings } from './schema.ts';

/** How orglog sends to a destination; what belongs to which kind is in push-checks.ts. */
export const push = strict('where to send to', {
  url: sinkUrl().meta({
    description:
      'splunk: the HTTP Event Collector, without /services/collector. elastic: Elasticsearch, not Kibana.',
  }),
  privateCa: text(/^[^\0]{1,500}$/, 'expected the path of a PEM file')
    .optional()
    .meta({
      description:
        'A PEM file, its path relative to this file: the certification authority to trust in place of the public ones. Certificates are always verified.',
    }),
  concurrency: z
    .int('expected a whole number of functions, 2 to 20')
    .min(2, 'expected 2 or more functions: AWS offers no less')
    .max(20, 'expected at most 20 functions: each has up to 4 requests under way')
    .default(2)
    .meta({ description: 'Functions that deliver at once; each has up to 4 requests under way.' }),
  index: text(
    /^[a-z0-9][a-z0-9_-]{0,79}$/,
    "expected an index of Splunk's: at most 80 lower-case letters, digits, _ and -",
  )
    .optional()
    .meta({ description: "splunk only. Default: the token's own." }),
  host: label('splunk only: host of every event. Default: what Splunk makes of the sender.'),
  source: label("splunk only: source of every event. Default: the token's own."),
  sourcetype: text(/^[\w:.-]{1,100}$/, 'expected a source type such as "orglog:event"')
    .optional()
    .meta({ description: 'splunk only. Default: orglog:event, which the add-on knows.' }),
  acknowledge: z.boolean('expected true or false').optional().meta({
    description: 'splunk only: wait until events are indexed. Splunk Enterprise only. Default: false.',
  }),
  dataStream: text(
    /^[a-z][a-z0-9._]{0,19}-[a-z0-9][a-z0-9._]{0,39}-[a-z0-9][a-z0-9._-]{0,39}$/,
    'expected the name of a data stream, <type>-<dataset>-<namespace> in lower case, such as "logs-orglog.events-default"',
  )
    .optional()
    .meta({ description: 'elastic only. Default: logs-orglog.events-default, which the package makes.' }),
});

function label(description: string) {
  return text(/^[ -~]{1,100}$/, 'expected 1 to 100 printable ASCII characters')
    .optional()
    .meta({ description });
}

/** Members of `push` that only one kind has a use for. */
export const MEMBERS_OF_KIND = {
  splunk: ['index', 'host', 'source', 'sourcetype', 'acknowledge'],
  elastic: ['dataStream'],
} as const;

export type PushKind = keyof typeof MEMBERS_OF_KIND;

/** A destination that orglog sends to. */
export type PushDestination = DestinationSettings & {
  readonly kind: PushKind;
  readonly push: z.output<typeof push>;
};

export function isPushed(destination: DestinationSettings): destination is PushDestination {
  return destination.delivery === 'push' && destination.push !== undefined && destination.kind !== 'other';
}
