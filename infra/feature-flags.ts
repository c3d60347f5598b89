/** Behaviour that aws-cdk-lib keeps off for the sake of older apps, and a limit of our own. */
export const FEATURE_FLAGS: Readonly<Record<string, unknown>> = {
  // Below CloudFormation's 500, so that a later version has room to add something (design §8).
  '@aws-cdk/core:stackResourceLimit': 450,
  // What CloudFormation would refuse, by its own schemas of resources, is refused here.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-kms:aliasNameRef': true,
  '@aws-cdk/aws-s3:publicAccessBlockedByDefault': true,
};
