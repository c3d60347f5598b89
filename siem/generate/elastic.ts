import { DASHBOARD } from './elastic/dashboard.ts';
import {
  AGENT_FIELDS,
  BASE_FIELDS,
  declared,
  ECS_FIELDS,
  ORGLOG_FIELDS,
  tableOfFields,
} from './elastic/fields.ts';
import { PIPELINE } from './elastic/pipeline.ts';
import { INDEX_TEMPLATE, LIFECYCLE } from './elastic/plain.ts';
import { samples } from './elastic/samples.ts';
import { type GeneratedFile, jsonFile } from './file.ts';
import { toYaml } from './yaml.ts';

const PACKAGE = 'elastic/orglog';
const STREAM = `${PACKAGE}/data_stream/events`;
const PIPELINE_TEST = `${STREAM}/_dev/test/pipeline/test-events.json`;

/** The generated part of `siem/elastic/`: what is not here is written by hand. */
export function elasticFiles(): GeneratedFile[] {
  const all = samples();
  return [
    { path: `${STREAM}/elasticsearch/ingest_pipeline/default.yml`, content: toYaml(PIPELINE) },
    { path: `${STREAM}/fields/base-fields.yml`, content: toYaml(declared(BASE_FIELDS)) },
    { path: `${STREAM}/fields/ecs.yml`, content: toYaml(declared(ECS_FIELDS)) },
    { path: `${STREAM}/fields/fields.yml`, content: toYaml(declared(ORGLOG_FIELDS)) },
    { path: `${STREAM}/fields/agent.yml`, content: toYaml(declared(AGENT_FIELDS)) },
    jsonFile(
      `${STREAM}/sample_event.json`,
      all.find(({ document }) => document.event.action === 'authentication-success')?.document,
    ),
    jsonFile(PIPELINE_TEST, { events: all.map(({ read }) => read) }),
    jsonFile(`${PIPELINE_TEST}-expected.json`, { expected: all.map(({ document }) => document) }),
    jsonFile(`${PACKAGE}/kibana/dashboard/${DASHBOARD.id}.json`, DASHBOARD),
    { path: `${PACKAGE}/docs/README.md`, content: readme() },
    jsonFile('elastic/plain/ingest-pipeline.json', PIPELINE),
    jsonFile('elastic/plain/index-template.json', INDEX_TEMPLATE),
    jsonFile('elastic/plain/ilm-policy.json', LIFECYCLE),
  ];
}

function readme(): string {
  return `# Identity provider sign-in log

Every event of an identity provider's sign-in log, as orglog collects it, in Elastic Common Schema.

## Set up

1. Give orglog a pull destination: its queue announces each new object.
2. Add this integration to an agent policy, with the queue's URL and credentials that may receive and delete its
   messages and read the archive's objects (orglog prints a role for it).
3. Leave the visibility time-out as it is: longer than an object takes to read.

An event read twice is one document: its \`_id\` is made of bucket, key and offset. (Elasticsearch refuses a second one
within a backing index.)

## What counts as a sign-in

\`event.category: authentication\` with an outcome of \`success\` or \`failure\`, or \`orglog.sign_in: true\`, which is the
same: one document for each attempt. First factors, codes sent and accepted, and sign-outs are in \`session\`; ticket
validations and tokens in \`web\`; accounts and passwords in \`iam\`; messages in \`email\`.

## Fields

${tableOfFields()}
`;
}
