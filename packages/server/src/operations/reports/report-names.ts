import type { Catalog } from '../../catalog/catalog.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { Names } from '../../reports/report.ts';
import { selectBudgets } from '../../store/queries/budgets.ts';
import { selectProjectSpans } from '../../store/queries/invoices.ts';
import { selectApps } from '../../store/queries/registry.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';

/** Today's settings. Throws an AdminError for an unknown app. */
export async function reportNames(
  { store, company }: AdminContext,
  catalog: Pick<Catalog, 'model'>,
  requestedApps: readonly string[] | undefined,
): Promise<Names> {
  const apps = await store.read(selectApps(company));
  const missing = (requestedApps ?? []).find((name) => apps.every((app) => app.name !== name));
  if (missing !== undefined) {
    const hint = didYouMean(
      missing,
      apps.map(({ name }) => name),
    );
    throw new AdminError(`--app: unknown app ${JSON.stringify(missing)}`, {
      isBadValue: true,
      hint,
    });
  }
  const tags = new Map(apps.map((app) => [app.name, app.tags]));
  const groups = groupsOf(await store.read(selectBudgets));
  const spans = await store.read(selectProjectSpans);
  const projects = Map.groupBy(spans, ({ app, platform }) => `${app}\n${platform}`);
  return {
    groups: (app) => groups.filter(({ has }) => has(app)).map(({ name }) => name),
    tags: (app) => tags.get(app) ?? {},
    project(app, platform, day) {
      const endMs = Date.parse(day) + dayMs;
      const bound = projects.get(`${app}\n${platform}`) ?? [];
      return (
        bound.findLast(({ since, until = endMs }) => since < endMs && until >= endMs)?.projectId ??
        ''
      );
    },
    platform: (model) => (model === 'other' ? '' : catalog.model(model).platform),
  };
}

type Definitions = ReturnType<typeof selectBudgets.map>;

function groupsOf(definitions: Definitions) {
  const named = new Map(
    definitions
      .filter(({ scope }) => scope.startsWith(groupPrefix))
      .map(({ scope, members }) => [scope.slice(groupPrefix.length), members]),
  );
  return [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => ({
      name,
      has: (app: string) => members === 'all' || members?.includes(app) === true,
    }));
}

const groupPrefix = 'group:';
const dayMs = 86_400_000;
