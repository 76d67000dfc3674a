import type { AppConfig } from '../../domain/app.ts';
import { selectApps } from '../../store/queries/registry.ts';
import { planFile } from '../apps/file-plan.ts';
import type { AdminContext } from '../context/context.ts';

/** A start with this file would create, change or miss them. A command's changes do not count. */
export async function appsUnlikeFile(
  { store, company }: Pick<AdminContext, 'store' | 'company'>,
  declared: readonly AppConfig[],
): Promise<readonly string[]> {
  const planned = planFile(declared, await store.read(selectApps(company)), []);
  return planned
    .filter((app) => {
      if (app.kind === 'change') return app.differences.length > 0;
      return app.kind === 'create' || (app.kind === 'unused' && app.row.isEnabled);
    })
    .map(({ name }) => name);
}
