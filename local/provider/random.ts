/** Seeded randomness: the same seed gives the same draws on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<const T>(items: readonly [T, ...T[]]): T;
  /** `length` lower-case hexadecimal digits. */
  hex(length: number): string;
  /** The shape of a random (version 4) UUID. */
  uuid(): string;
}

/** Four digits at a time: identifiers are drawn by the hundred thousand. */
const HEX = Array.from({ length: 0x1_0000 }, (_, value) => value.toString(16).padStart(4, '0'));

/** Mulberry32: 32 bits of state, which is plenty for invented traffic. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const bits = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const next = () => bits() / 0x1_0000_0000;
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const hex = (length: number) => {
    let text = '';
    while (text.length < length) {
      const drawn = bits();
      text += `${HEX[drawn >>> 16]}${HEX[drawn & 0xffff]}`;
    }
    return text.slice(0, length);
  };
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
    hex,
    uuid: () => {
      const digits = hex(30);
      const variant = '89ab'.charAt(whole(0, 3));
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-${variant}${digits.slice(15, 18)}-${digits.slice(18)}`;
    },
  };
}

/** One seed out of several numbers: neighbours give unrelated seeds. */
export function mixSeeds(...seeds: readonly number[]): number {
  let mixed = 0x811c9dc5;
  for (const seed of seeds) {
    for (const part of [seed, Math.floor(seed / 0x1_0000_0000)]) {
      mixed = Math.imul(mixed ^ part, 0x01000193);
      mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
      mixed ^= mixed >>> 13;
    }
  }
  return mixed >>> 0;
}
