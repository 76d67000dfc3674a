import { createHash } from 'node:crypto';

/** Unique in one simulator, and the same in every run. */
export interface SimulatorIds {
  /** `prefix` and 52 base32 characters. */
  next(prefix: string): string;
}

const instanceCharacters = 40;
const counterCharacters = 12;

/**
 * From a counter. With `random` (at least 0, below 1), the ids of two processes differ by one
 * random part.
 */
export function createIds(random?: () => number): SimulatorIds {
  const instance = random === undefined ? 'sim'.padEnd(instanceCharacters, '0') : drawn(random);
  let count = 0;
  return {
    next(prefix) {
      count++;
      return prefix + instance + count.toString(32).padStart(counterCharacters, '0');
    },
  };
}

function drawn(random: () => number): string {
  let text = '';
  while (text.length < instanceCharacters) text += Math.floor(random() * 32).toString(32);
  return text;
}

/** The same in every simulator: `proj_` and 20 hex digits. */
export function projectIdOf(name: string): string {
  return `proj_${createHash('sha256').update(name).digest('hex').slice(0, 20)}`;
}
