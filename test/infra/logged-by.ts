import { vi } from 'vitest';

/** Bytes that something writes to stdout, where they would be log lines. */
export function loggedBy(log: () => void): number {
  let bytes = 0;
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    bytes += Buffer.byteLength(String(chunk));
    return true;
  });
  try {
    log();
  } finally {
    spy.mockRestore();
  }
  return bytes;
}
