import { afterEach, beforeEach, vi } from 'vitest';

/** Catches what each test writes to stdout and stderr, line by line. */
export function captureOutput(): readonly string[] {
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        written.push(
          ...String(chunk)
            .split('\n')
            .filter((line) => line !== ''),
        );
        return true;
      });
    }
  });
  afterEach(() => void vi.restoreAllMocks());
  return written;
}
