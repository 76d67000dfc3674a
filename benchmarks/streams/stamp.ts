import process from 'node:process';

/** What a delta begins with: microseconds of the machine's own clock, which all processes share. */
export function stampNow(): string {
  return `@${nowMicros().toString(36)};`;
}

/** Now, by the same clock. */
export function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

const stamps = /@([0-9a-z]+);/g;

/** The moments in a text, in their order. */
export function stampsIn(text: string): number[] {
  return Array.from(text.matchAll(stamps), ([, digits = '']) => Number.parseInt(digits, 36));
}
