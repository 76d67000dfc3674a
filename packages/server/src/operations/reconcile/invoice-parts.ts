import { AdminError } from '../context/admin-error.ts';

/** Parts count from 1: a gap means one is missing, and throws an AdminError. */
export function checkParts(names: readonly string[]): void {
  const numbered = names.flatMap((name) => {
    const [, start, number] = /^(.+-)(\d{5})\.csv(?:\.gz)?$/.exec(name) ?? [];
    return start === undefined ? [] : [{ start, number: Number(number) }];
  });
  for (const [start, parts] of Map.groupBy(numbered, (part) => part.start)) {
    const numbers = new Set(parts.map(({ number }) => number));
    for (let wanted = 1; wanted < Math.max(...numbers); wanted++) {
      if (numbers.has(wanted)) continue;
      const part = `${start}${String(wanted).padStart(5, '0')}`;
      throw new AdminError(`the part ${part} is missing: give all parts, or the manifest`, {
        isBadValue: true,
      });
    }
  }
}
