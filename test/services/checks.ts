import type { Service } from './daemon.ts';
import { dynamoDbLocal } from './dynamodb-local.ts';
import { elasticPackage } from './elastic-package.ts';
import { elasticMq } from './elasticmq.ts';
import { lambdaRic } from './lambda-ric.ts';
import { cfnLint, moto, motoCloudFormation } from './moto.ts';
import { openSearch } from './opensearch.ts';
import { pullConsumer } from './pull-consumer.ts';
import { splunkAppInspect } from './splunk-appinspect.ts';
import { versityGw } from './versitygw.ts';

/** What is run against a service, each entry of `runs` against one that was started for it. */
export interface Check {
  readonly service: Service;
  /** What this is about, in a few words. */
  readonly about: string;
  /** Files of tests. */
  readonly runs: readonly (readonly string[])[];
  /** Tests that the service cannot answer for, by what their names hold → why. */
  readonly beyond?: Readonly<Record<string, string>>;
}

/** Each makes all that the templates have, under the templates' own names. */
const ARTEFACT = ['collect', 'deliver', 'sync', 'operator'].map((name) => [`test/artefact/${name}.test.ts`]);
const HANDLERS = [
  'collect',
  'collect-faults',
  'bundle',
  'deliver-splunk',
  'deliver-elastic',
  'sync-identities',
];

const adapters = (...names: readonly string[]) => names.map((name) => `test/adapters/${name}.test.ts`);
const handlers = HANDLERS.map((name) => `test/handlers/${name}.test.ts`);

export const CHECKS: readonly Check[] = [
  {
    service: dynamoDbLocal,
    about: 'cursor rows and ledger: contracts, handlers, templates',
    runs: [
      [...adapters('dynamodb-cursor-store', 'ledger', 'operator-contracts', 'pseudonyms'), ...handlers],
      ...ARTEFACT,
    ],
    beyond: {
      'stops in time': 'the function has 0.9 s there, and its first requests to a Java service take longer',
    },
  },
  {
    service: moto,
    about: 'archive, queues and secrets: contracts, handlers, templates',
    runs: [
      [
        ...adapters('s3-archive', 'sqs-queue', 'operator-contracts', 'pseudonyms'),
        ...adapters('secrets-manager-credentials', 'sink-secrets'),
        ...handlers,
      ],
      ...ARTEFACT,
    ],
    beyond: {
      'sends dead letters back': 'it has no message move tasks',
      'makes dead letters of them again': 'it has no message move tasks',
      'takes a move that is under way': 'it has no message move tasks',
    },
  },
  {
    service: motoCloudFormation,
    about: 'the templates by its CloudFormation, but for secrets: what they make serves the functions',
    runs: ARTEFACT,
  },
  {
    service: cfnLint,
    about: 'the templates by CloudFormation’s own schemas: no error, each warning answered',
    runs: [['test/services/cfn-lint.check.ts']],
  },
  {
    service: versityGw,
    about: 'archive: contract, handlers, templates',
    runs: [[...adapters('s3-archive', 'operator-contracts'), ...handlers], ...ARTEFACT],
  },
  {
    service: elasticMq,
    about: 'queues: contract, handlers, templates',
    runs: [[...adapters('sqs-queue', 'operator-contracts'), ...handlers], ...ARTEFACT],
  },
  {
    service: openSearch,
    about: 'bulk, index templates, ingest pipelines: push, search, the package’s pipeline tests',
    runs: [['test/services/opensearch.check.ts']],
  },
  {
    service: splunkAppInspect,
    about: 'the Splunk add-on: no failure, each warning answered',
    runs: [['test/services/splunk-appinspect.check.ts']],
  },
  {
    service: elasticPackage,
    about: 'the Elastic package: no fault',
    runs: [['test/services/elastic-package.check.ts']],
  },
  {
    service: lambdaRic,
    about: 'the bundled functions on the runtime client that Lambda has',
    runs: [['test/services/lambda-ric.check.ts']],
  },
  {
    service: pullConsumer,
    about: 'a pull consumer of AWS’s own parts, on ElasticMQ and versitygw: every event arrives',
    runs: [['test/services/pull-consumer.check.ts']],
  },
];
