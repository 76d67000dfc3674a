import type { Migration } from '../../src/store/schema/migrations.ts';

/** The migrations of the oldest version that still runs on all of them. */
export function asBefore(migrations: readonly Migration[]): readonly Migration[] {
  const oldest = migrations.at(-1)?.compatibleFrom;
  if (oldest === undefined) throw new Error('the newest migration says nothing of older services');
  return migrations.filter(({ version }) => version <= oldest);
}
