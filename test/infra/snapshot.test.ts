import { expect, it } from 'vitest';
import { settings } from './settings-fixture.ts';
import { synthesize } from './synthesize.ts';

/** The code's hash changes with every change of the code, which is not what is looked at here. */
function withoutHashes(template: unknown): unknown {
  return JSON.parse(JSON.stringify(template).replaceAll(/[0-9a-f]{64}/g, '<asset>'));
}

it('one organization and nothing else makes this collector stack', async () => {
  const { templates } = await synthesize(settings());
  expect(withoutHashes(templates.get('orglog-collectors-1'))).toMatchSnapshot();
});
