import type { AppConfig } from '../../domain/app.ts';
import { selectApps } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { ListedApp } from '../documents/apps.ts';
import { appDocument } from './app-document.ts';
import { type PlannedApp, planFile } from './file-plan.ts';

/** By name, compared with the file. */
export async function listApps(
  { store, company }: AdminContext,
  declared: readonly AppConfig[],
): Promise<readonly ListedApp[]> {
  const rows = await store.read(selectApps(company));
  const drift = new Map(planFile(declared, rows, []).map((app) => [app.name, driftOf(app)]));
  return rows.map((row) => ({ ...appDocument(row), drift: drift.get(row.name) ?? [] }));
}

function driftOf(planned: PlannedApp): readonly string[] {
  switch (planned.kind) {
    case 'missing':
    case 'unused':
      return planned.row.isEnabled ? ['missing'] : [];
    case 'change':
      return [...planned.differences, ...planned.drift].map(({ setting }) => setting);
    case 'same':
      return planned.drift.map(({ setting }) => setting);
    default:
      return [];
  }
}
