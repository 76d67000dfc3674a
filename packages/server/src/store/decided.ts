import type { Statement } from './port.ts';

/** Whether what a transaction changed is to be kept: each decisive statement found its rows. */
export function isDecided(statements: readonly Statement[], counts: readonly number[]): boolean {
  return statements.every(
    ({ abortIfNoRows }, index) => abortIfNoRows !== true || counts[index] !== 0,
  );
}
