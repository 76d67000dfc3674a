import type { NotRun } from '../rounds/run-scenario.ts';
import type { Side } from './side.ts';

/**
 * Installs the requirements of the sides. Returns the sides that can run here, and why the others
 * cannot.
 */
export async function prepareSides(sides: readonly Side[]): Promise<{
  readonly ready: readonly Side[];
  readonly notRun: readonly NotRun[];
}> {
  const ready: Side[] = [];
  const notRun: NotRun[] = [];
  for (const side of sides) {
    const reason = await side.prepare?.();
    if (reason === undefined) ready.push(side);
    else notRun.push({ side: side.name, reason });
  }
  return { ready, notRun };
}
