import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { AlarmTopic } from './alarm-topic.ts';
import { Archive } from './archive.ts';
import { ConsumerAccess } from './consumer-access.ts';
import { CredentialSecret } from './credential-secret.ts';
import { DestinationQueue } from './destination-queue.ts';
import { EncryptionKey } from './encryption-key.ts';
import { Dashboard } from './monitoring/dashboard.ts';
import { DestinationAlarms } from './monitoring/destination-alarms.ts';
import { Names } from './names.ts';
import type { Settings } from './settings/schema.ts';
import { Tables } from './tables.ts';

export interface FoundationStackProps extends StackProps {
  readonly settings: Settings;
}

/** What all organizations share: key, archive, tables, queues with their consumers' access, alarm topic, dashboard. */
export class FoundationStack extends Stack {
  readonly encryption: EncryptionKey;
  readonly archive: Archive;
  readonly tables: Tables;
  /** In the order of the settings. */
  readonly queues: readonly DestinationQueue[];
  readonly alarms: AlarmTopic;

  constructor(scope: Construct, id: string, { settings, ...props }: FoundationStackProps) {
    super(scope, id, props);
    const names = new Names(this, settings.name);
    this.encryption = new EncryptionKey(this, 'Encryption', { names });
    const { key } = this.encryption;

    this.archive = new Archive(this, 'Archive', { names, key, retention: settings.retention });
    this.alarms = new AlarmTopic(this, 'Alarms', { names, key, email: settings.alarms.email });
    this.queues = settings.destinations.map(
      (destination) => new DestinationQueue(this, `Queue-${destination.id}`, { names, key, destination }),
    );
    const consumers = this.queues
      .filter(({ destination }) => destination.delivery === 'pull')
      .map((source) => {
        const { name } = settings;
        const archive = this.archive.bucket;
        return new ConsumerAccess(this, `Consumer-${source.destination.id}`, { name, source, archive, key });
      });
    const credentials = [...sharedCredentials(settings)].map((credential) => {
      const secretName = names.credentialSecret({ shared: credential });
      const usedBy = `the organizations that share ${credential}`;
      const secret = new CredentialSecret(this, `Credential-${credential}`, { names, secretName, usedBy });
      // It names the key by its alias, which must be there first.
      secret.node.addDependency(key);
      return secret;
    });

    this.tables = new Tables(this, 'Tables', { names, key });
    // A first deployment that fails takes back what it made, but a protected table cannot be taken back: made last.
    this.tables.node.addDependency(this.archive, this.alarms, ...this.queues, ...consumers, ...credentials);

    for (const source of this.queues) {
      const { topic } = this.alarms;
      new DestinationAlarms(source, 'Alarms', { names, settings, topic, source });
    }
    const { queues, tables, archive } = this;
    new Dashboard(this, 'Dashboard', { names, settings, queues, tables, archive });
  }
}

function sharedCredentials({ organizations }: Settings): Set<string> {
  return new Set(organizations.flatMap(({ credential }) => credential ?? []));
}
