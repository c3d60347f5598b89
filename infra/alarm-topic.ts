import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Names } from './names.ts';

export interface AlarmTopicProps {
  readonly names: Names;
  readonly key: IKey;
  readonly email: string;
}

/** Where every alarm goes, and from there to the e-mail address of the settings. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { names, key, email }: AlarmTopicProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      topicName: names.alarmTopic,
      displayName: 'orglog',
      masterKey: key,
      enforceSSL: true,
    });
    // A topic with a policy of its own has lost the one that lets the account's alarms publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsPublish',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    this.topic.addSubscription(new EmailSubscription(email));
  }
}
