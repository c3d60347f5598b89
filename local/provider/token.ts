import { randomBytes } from 'node:crypto';

const HIGHEST_COUNTER = 0xfff;

/**
 * Makes version 7 UUIDs (RFC 9562): the first 48 bits are epoch ms, the next 12 count within one ms, so that tokens
 * sort by time of issue even when many are issued at once or the clock steps back.
 */
export function createTokenMint(): (nowMs: number) => string {
  let lastMs = 0;
  let counter = 0;
  return (nowMs) => {
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = 0;
    } else if (counter < HIGHEST_COUNTER) {
      counter += 1;
    } else {
      lastMs += 1;
      counter = 0;
    }
    const bytes = randomBytes(16);
    bytes.writeUIntBE(lastMs, 0, 6);
    bytes.writeUInt16BE(0x7000 | counter, 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
}
