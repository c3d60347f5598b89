import { describe, expect, it } from 'vitest';
import { setPaused } from '../../../functions/core/operate/pause.ts';
import { tokenTime } from '../../../functions/core/operate/token-time.ts';
import { never } from '../../contracts/support.ts';
import { OperatedWorld } from './operated-world.ts';

const LOGS = { org: 'institution', stream: 'logs' };

describe('pausing', () => {
  it('keeps the collector from reading, until it is resumed', async () => {
    const world = new OperatedWorld({ backlog: 1 });
    await world.run();
    world.provider.append(1);
    for (let time = 0; time < 2; time++) await setPaused(world.cursors, LOGS, true, never);
    expect(await world.run()).toMatchObject({ outcome: 'paused', events: 0 });
    for (let time = 0; time < 2; time++) await setPaused(world.cursors, LOGS, false, never);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 1 });
  });

  it('needs a cursor, and makes none', async () => {
    const world = new OperatedWorld();
    await expect(setPaused(world.cursors, LOGS, true, never)).rejects.toMatchObject({ code: 'not-found' });
    expect(world.row()).toBeUndefined();
  });
});

it.each([
  ['019b7d5c-1000-7abc-8def-000000000001', 0x019b7d5c1000],
  ['019B7D5C-1000-7ABC-8DEF-000000000001', 0x019b7d5c1000],
  ['019b7d5c-1000-4abc-8def-000000000001', undefined],
  ['019b7d5c-1000-7abc-cdef-000000000001', undefined],
  ['t12', undefined],
])('the time of the token %s', (token, at) => {
  expect(tokenTime(token)).toBe(at);
});
