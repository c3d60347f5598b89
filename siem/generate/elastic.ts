import { DASHBOARD, IDENTITY_DASHBOARD } from './elastic/dashboard.ts';
import {
  ENRICH_PIPELINE,
  ENRICH_POLICY,
  LATEST_IDENTITIES_INDEX,
  LATEST_IDENTITIES_TRANSFORM,
} from './elastic/enrich.ts';
import {
  AGENT_FIELDS,
  BASE_FIELDS,
  declared,
  ECS_FIELDS,
  EVENT_FIELDS,
  type Field,
  ORGLOG_FIELDS,
  tableOfFields,
} from './elastic/fields.ts';
import {
  IDENTITY_BASE_FIELDS,
  IDENTITY_ECS_FIELDS,
  IDENTITY_FIELDS,
  IDENTITY_ORGLOG_FIELDS,
} from './elastic/identity-fields.ts';
import { IDENTITY_PIPELINE } from './elastic/identity-pipeline.ts';
import { identitySamples } from './elastic/identity-samples.ts';
import { PIPELINE } from './elastic/pipeline.ts';
import type { Pipeline } from './elastic/pipeline-parts.ts';
import {
  IDENTITY_INDEX_TEMPLATE,
  IDENTITY_LIFECYCLE,
  INDEX_TEMPLATE,
  LIFECYCLE,
  PLAIN_IDENTITY_PIPELINE,
  PLAIN_PIPELINE,
} from './elastic/plain.ts';
import { samples } from './elastic/samples.ts';
import { type GeneratedFile, jsonFile } from './file.ts';
import { toYaml } from './yaml.ts';

const PACKAGE = 'elastic/orglog';

/** The generated part of `siem/elastic/`: what is not here is written by hand. */
export function elasticFiles(): GeneratedFile[] {
  return [
    ...dataStream('events', PIPELINE, [BASE_FIELDS, ECS_FIELDS, ORGLOG_FIELDS], {
      all: samples(),
      example: 'authentication-success',
    }),
    ...dataStream(
      'identities',
      IDENTITY_PIPELINE,
      [IDENTITY_BASE_FIELDS, IDENTITY_ECS_FIELDS, IDENTITY_ORGLOG_FIELDS],
      { all: identitySamples(), example: 'identity.modified' },
    ),
    ...[DASHBOARD, IDENTITY_DASHBOARD].map((each) =>
      jsonFile(`${PACKAGE}/kibana/dashboard/${each.id}.json`, each),
    ),
    { path: `${PACKAGE}/docs/README.md`, content: readme() },
    jsonFile('elastic/plain/ingest-pipeline.json', PLAIN_PIPELINE),
    jsonFile('elastic/plain/index-template.json', INDEX_TEMPLATE),
    jsonFile('elastic/plain/ilm-policy.json', LIFECYCLE),
    jsonFile('elastic/plain/identities-ingest-pipeline.json', PLAIN_IDENTITY_PIPELINE),
    jsonFile('elastic/plain/identities-index-template.json', IDENTITY_INDEX_TEMPLATE),
    jsonFile('elastic/plain/identities-ilm-policy.json', IDENTITY_LIFECYCLE),
    jsonFile('elastic/enrich/latest-index.json', LATEST_IDENTITIES_INDEX),
    jsonFile('elastic/enrich/latest-transform.json', LATEST_IDENTITIES_TRANSFORM),
    jsonFile('elastic/enrich/policy.json', ENRICH_POLICY),
    jsonFile('elastic/enrich/custom-pipeline.json', ENRICH_PIPELINE),
  ];
}

interface Samples {
  readonly all: readonly {
    readonly read: object;
    readonly document: { readonly event: { action?: string } };
  }[];
  /** The action of the one to show. */
  readonly example: string;
}

function dataStream(
  name: string,
  pipeline: Pipeline,
  [base, ecs, own]: readonly [readonly Field[], readonly Field[], readonly Field[]],
  { all, example }: Samples,
): GeneratedFile[] {
  const stream = `${PACKAGE}/data_stream/${name}`;
  const pipelineTest = `${stream}/_dev/test/pipeline/test-${name}.json`;
  return [
    { path: `${stream}/elasticsearch/ingest_pipeline/default.yml`, content: toYaml(pipeline) },
    { path: `${stream}/fields/base-fields.yml`, content: toYaml(declared(base)) },
    { path: `${stream}/fields/ecs.yml`, content: toYaml(declared(ecs)) },
    { path: `${stream}/fields/fields.yml`, content: toYaml(declared(own)) },
    { path: `${stream}/fields/agent.yml`, content: toYaml(declared(AGENT_FIELDS)) },
    jsonFile(
      `${stream}/sample_event.json`,
      all.find(({ document }) => document.event.action === example)?.document,
    ),
    jsonFile(pipelineTest, { events: all.map(({ read }) => read) }),
    jsonFile(`${pipelineTest}-expected.json`, { expected: all.map(({ document }) => document) }),
  ];
}

function readme(): string {
  return `# Identity provider sign-in log

Every event of an identity provider's sign-in log, and every change of its identity records, as orglog collects them,
in Elastic Common Schema.

## Set up

1. Give orglog a pull destination: its queue announces each new object.
2. Add this integration to an agent policy, with the queue's URL and credentials that may receive and delete its
   messages and read the archive's objects (orglog prints a role for it). One integration reads everything: identities
   come by the same queue, and go from the pipeline of the events to their own data stream (\`reroute\`), for which Fleet
   gives the agent a key for all of \`logs-*-*\`.
3. Leave the visibility time-out as it is: longer than an object takes to read.

An event read twice is one document: its \`_id\` is made of bucket, key and offset. (Elasticsearch refuses a second one
within a backing index.)

## What counts as a sign-in

\`event.category: authentication\` with an outcome of \`success\` or \`failure\`, or \`orglog.sign_in: true\`, which is the
same: one document for each attempt. First factors, codes sent and accepted, and sign-outs are in \`session\`; ticket
validations and tokens in \`web\`; accounts and passwords in \`iam\`; messages in \`email\`.

## Identities

The data stream \`logs-orglog.identities-*\` has one document for each identity that was created, modified or removed,
for each attribute collection that was linked, modified or unlinked, and for each use of a credential
(\`event.category: iam\`); at first, one for every identity there is (\`event.kind: asset\`). The feed tells whom
something happened to and not who did it, so \`user\` is the former. What a field was and is lies in
\`orglog.changes.<field>.from\` and \`.to\`.

So that sign-ins say which identity they are of, see \`siem/elastic/enrich\` in the repository of orglog.

## Fields of sign-in events

${tableOfFields(EVENT_FIELDS)}

## Fields of identities

${tableOfFields(IDENTITY_FIELDS)}
`;
}
