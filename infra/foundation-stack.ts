import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { AlarmTopic } from './alarm-topic.ts';
import { Archive } from './archive.ts';
import type { Bundles } from './bundle-function.ts';
import { ConsumerAccess } from './consumer-access.ts';
import { CredentialSecret, providersCredential } from './credential-secret.ts';
import { DeliverFunction } from './deliver-function.ts';
import { DestinationQueue } from './destination-queue.ts';
import { EncryptionKey } from './encryption-key.ts';
import { Dashboard } from './monitoring/dashboard.ts';
import { DestinationAlarms } from './monitoring/destination-alarms.ts';
import { PushAlarms } from './monitoring/push-alarms.ts';
import { Names } from './names.ts';
import { addFoundationOutputs } from './outputs.ts';
import { isPushed } from './settings/push.ts';
import type { Settings } from './settings/schema.ts';
import { Tables } from './tables.ts';

export interface FoundationStackProps extends StackProps {
  readonly settings: Settings;
  readonly bundles: Bundles;
}

/** What all organizations share: key, archive, tables, queues and what empties them, alarm topic, dashboard. */
export class FoundationStack extends Stack {
  readonly encryption: EncryptionKey;
  readonly archive: Archive;
  readonly tables: Tables;
  /** In the order of the settings. */
  readonly queues: readonly DestinationQueue[];
  readonly alarms: AlarmTopic;

  constructor(scope: Construct, id: string, { settings, bundles, ...props }: FoundationStackProps) {
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
    const delivers = this.queues.flatMap(({ destination, queue }) => {
      if (!isPushed(destination)) return [];
      const code = bundles[`deliver-${destination.kind}`];
      const deliver = { names, settings, destination, code, key, queue };
      return [new DeliverFunction(this, `Deliver-${destination.id}`, deliver)];
    });
    const credentials = [...sharedCredentials(settings)].map((credential) => {
      const secretName = names.credentialSecret({ shared: credential });
      const purpose = providersCredential(`the organizations that share ${credential}`);
      const secret = new CredentialSecret(this, `Credential-${credential}`, { names, secretName, purpose });
      // It names the key by its alias, which must be there first.
      secret.node.addDependency(key);
      return secret;
    });

    this.tables = new Tables(this, 'Tables', { names, key });
    // A first deployment that fails takes back what it made, but a protected table cannot be taken back: made last.
    const others = [this.archive, this.alarms, ...this.queues, ...consumers, ...delivers, ...credentials];
    this.tables.node.addDependency(...others);

    for (const source of this.queues) {
      const { topic } = this.alarms;
      new DestinationAlarms(source, 'Alarms', { names, settings, topic, source });
    }
    for (const deliver of delivers) {
      new PushAlarms(deliver, 'Alarms', { names, settings, topic: this.alarms.topic, deliver });
    }
    const { queues, tables, archive } = this;
    new Dashboard(this, 'Dashboard', { names, settings, queues, tables, archive });
    addFoundationOutputs(this, names, settings);
  }
}

function sharedCredentials({ organizations }: Settings): Set<string> {
  const named = organizations.flatMap(({ credential, identities }) => [credential, identities?.credential]);
  return new Set(named.filter((name) => name !== undefined));
}
