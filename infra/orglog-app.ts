import { App, type AppProps, CfnRule, Fn, type Stack, Tags } from 'aws-cdk-lib/core';
import type { Bundles } from './bundle-function.ts';
import { CollectorStack } from './collector-stack.ts';
import { FEATURE_FLAGS } from './feature-flags.ts';
import { FoundationStack } from './foundation-stack.ts';
import { IdentityStack } from './identity-stack.ts';
import { hasIdentities } from './settings/identities.ts';
import { EXAMPLE_FILE, type LoadedSettings, SETTINGS_FILE } from './settings/load.ts';

export interface OrglogStacks {
  readonly foundation: FoundationStack;
  readonly collectors: readonly CollectorStack[];
  readonly identities: readonly IdentityStack[];
}

/** An app that behaves the same under the CLI and in a test. */
export function orglogApp(props: AppProps = {}): App {
  return new App({
    analyticsReporting: false,
    autoSynth: false,
    ...props,
    context: { ...FEATURE_FLAGS, ...props.context },
  });
}

/** The whole deployment: the foundation, and one stack of each kind for each number that the organizations name. */
export function addStacks(app: App, loaded: LoadedSettings, bundles: Bundles): OrglogStacks {
  const { settings } = loaded;
  const foundation = new FoundationStack(app, `${settings.name}-foundation`, {
    description: 'orglog: archive, tables, queues, delivery and alarms',
    settings,
    bundles,
  });
  const collectors = byStack(settings.organizations, ({ stack }) => stack).map(([number, organizations]) => {
    const stack = new CollectorStack(app, `${settings.name}-collectors-${number}`, {
      description: `orglog: collectors, stack ${number}`,
      settings,
      number,
      organizations,
      code: bundles.collect,
    });
    stack.addStackDependency(foundation, 'the collectors name what the foundation made');
    return stack;
  });
  const followed = settings.organizations.filter(hasIdentities);
  const identities = byStack(followed, (one) => one.identities.stack).map(([number, organizations]) => {
    const stack = new IdentityStack(app, `${settings.name}-identities-${number}`, {
      description: `orglog: identity records, stack ${number}`,
      settings,
      number,
      organizations,
      code: bundles['sync-identities'],
    });
    stack.addStackDependency(foundation, 'what follows identity records names what the foundation made');
    return stack;
  });
  const stacks = [foundation, ...collectors, ...identities];
  for (const [key, value] of Object.entries(settings.tags)) Tags.of(app).add(key, value);
  if (loaded.isExample) for (const stack of stacks) refuseToDeploy(stack);
  return { foundation, collectors, identities };
}

/** Stack number → those that live in it, in the order of the numbers. */
function byStack<T>(organizations: readonly T[], numberOf: (one: T) => number): [number, T[]][] {
  const sorted = organizations.toSorted((a, b) => numberOf(a) - numberOf(b));
  return [...Map.groupBy(sorted, numberOf)];
}

/**
 * Who synthesizes cannot know whether the template will be deployed. So CloudFormation is told to refuse it, before it
 * makes anything.
 */
function refuseToDeploy(stack: Stack): void {
  const message = `These are the example's settings: copy ${EXAMPLE_FILE} to ${SETTINGS_FILE} and make them yours`;
  new CfnRule(stack, 'SettingsAreYours', {
    assertions: [{ assert: Fn.conditionEquals('example', 'yours'), assertDescription: message }],
  });
}
