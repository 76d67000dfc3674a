import type { Statement } from '../store/port.ts';
import * as sql from '../store/queries/operator-statements.ts';
import type { AdminContext } from './context.ts';

/**
 * Writes a change of apps, keys or bindings, and tells every replica; answers as the store does.
 * The revision comes first: its row is the lock that each such change takes, so that what one of
 * them looks at is as it was until it is written.
 */
export async function changeRegistry(
  { store }: AdminContext,
  statements: readonly Statement[],
): Promise<readonly number[]> {
  const bump = { sql: sql.bumpRevision, values: [] };
  const [, ...counts] = await store.write([bump, ...statements]);
  return counts;
}
