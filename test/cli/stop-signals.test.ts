import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';

test('a second Ctrl-C ends at once what does not stop; the copy that npm sends along is none', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'stubborn-child.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    const asked = once(child.stdout, 'data');
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(String(await asked)).toBe('asked\n');
    // Longer than the copy takes, as the second wish of a person is.
    await delay(300);
    expect(child.exitCode).toBeNull();
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
