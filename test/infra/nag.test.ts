import { Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, type NagPack, NIST80053R5Checks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { destination, followed, organization, pushDestination, settings } from './settings-fixture.ts';
import { synthesize } from './synthesize.ts';

describe('cdk-nag', async () => {
  const { stacks } = await synthesize(
    settings({
      organizations: [
        followed('institution', { environments: ['test', 'prod'], redact: ['mail'] }),
        followed('academy', { credential: 'shared-records', stack: 2 }),
        organization('college', { stack: 2, credential: 'shared' }),
      ],
      destinations: [
        destination('splunk', { consumer: { principal: '111122223333', externalId: 'external-id' } }),
        pushDestination('hec'),
        pushDestination('bulk', 'elastic'),
      ],
    }),
  );
  const app = stacks.foundation.node.root;

  /** What a pack finds that nobody gave a reason for: `rule at construct`. */
  const findings = (pack: NagPack): string[] =>
    pack
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} at ${constructPath}`),
      );

  it('has nothing to say by AwsSolutions', () => {
    expect(findings(new AwsSolutionsChecks())).toStrictEqual([]);
  });

  it('has nothing to say by NIST 800-53', () => {
    expect(findings(new NIST80053R5Checks())).toStrictEqual([]);
  });

  it('is answered with a reason wherever a rule is not followed', () => {
    const acknowledged = app.node
      .findAll()
      .flatMap(({ node }) =>
        node.metadata.filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY),
      );
    expect(acknowledged.length).toBeGreaterThan(5);
    for (const { data } of acknowledged) {
      for (const reason of Object.values(data as object)) expect(String(reason).length).toBeGreaterThan(20);
    }
  });
});
