import { performance } from 'node:perf_hooks';
import process from 'node:process';

/** The character before a stamp's digits, and nowhere else in a delta; and its length in bytes. */
export const stampMark = 0x40;
export const stampBytes = 1 + 10;

/** The difference of this process's own clock, which is cheap to read, and the machine's. */
const originMicros = Number(process.hrtime.bigint() / 1_000n) - performance.now() * 1_000;

/** The beginning of a delta: microseconds of the machine's own clock, which all processes share. */
export function stampNow(): string {
  const digits = Math.round(nowMicros()).toString(36);
  return `@${digits.padStart(stampBytes - 1, '0')}`;
}

/** Now, by the same clock. */
export function nowMicros(): number {
  return originMicros + performance.now() * 1_000;
}

/** The time of the stamp at `at`, without creating a text. */
export function stampAt(bytes: Uint8Array, at: number): number {
  let micros = 0;
  for (let index = at + 1; index < at + stampBytes; index++) {
    const byte = bytes[index] ?? 0;
    micros = micros * 36 + (byte >= 0x61 ? byte - 0x57 : byte - 0x30);
  }
  return micros;
}
