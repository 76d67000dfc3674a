import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../domain/config.ts';
import { type Role, roles } from '../../domain/role.ts';
import { selectApps, selectHasSampleKey } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import { mayUseApp, rightNames, rights, rightsOf, type Session } from '../context/session.ts';
import { line } from '../description/field.ts';
import { type Operating, type Operation, operation } from '../description/operation.ts';
import type { Overview, Problem } from '../documents/today.ts';
import { readHealth } from '../health/health.ts';
import { firstCallLine, firstModel, reachableUrl } from '../keys/sample-keys.ts';
import { readToday } from '../reports/overview.ts';
import { findAnything } from './find-anything.ts';

const overview = operation({
  name: 'today overview',
  about: "show today's overview in one document",
  right: 'look',
  http: ['GET /overview'],
  apps: 'own',
  needs: ['reads', 'served', 'catalog'],
  commands: [],
  result: async () => (await import('../documents/today.ts')).Overview,
  run: (operating) =>
    operating.reads.overview.read(
      JSON.stringify([operating.session.apps, operating.session.permissions]),
      async () => overviewFor(operating),
    ),
});

async function overviewFor({
  admin,
  session,
  reads,
  served,
  catalog,
}: Operating<'reads' | 'served' | 'catalog'>): Promise<Overview> {
  const today = await readToday(admin, { apps: session.apps, curves: await reads.curves() });
  const { problems, replicas } = await reads.problems();
  const mayReconcile = session.apps === undefined && session.permissions.includes('money');
  const invoices = mayReconcile ? await reads.invoiceProblems() : [];
  const { host, port } = served.listen;
  const url = served.publicUrl ?? reachableUrl(reads.live.url() ?? `http://${host}:${port}`);
  return {
    ...today,
    problems: [...problemsFor(session, problems), ...invoices],
    healthy: `store: ${admin.store.kind}, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
    ...(await firstCall(admin, { url, session, catalog, served, hasCalls: today.hasCalls })),
  };
}

async function firstCall(
  { store, company }: AdminContext,
  parts: {
    readonly url: string;
    readonly session: Pick<Session, 'apps'>;
    readonly catalog: Catalog;
    readonly served: Pick<Config, 'platforms'>;
    readonly hasCalls: boolean;
  },
): Promise<Pick<Overview, 'firstCall' | 'hasSampleKeys'>> {
  const { url, session, catalog, served, hasCalls } = parts;
  const apps = (await store.readForOperator(selectApps(company))).filter(({ name }) =>
    mayUseApp(session, name),
  );
  return {
    firstCall: firstCallLine(url, 'YOUR-KEY', firstModel(apps, catalog, served.platforms)),
    hasSampleKeys: !hasCalls && (await store.readForOperator(selectHasSampleKey(session.apps))),
  };
}

const teamProblems: readonly string[] = ['circuit', 'platform'];

/** A platform's problems may name internal hosts, which only operators may see. */
function problemsFor(session: Session, problems: readonly Problem[]): readonly Problem[] {
  const { apps, permissions } = session;
  return problems
    .filter(({ kind, app }) =>
      app === undefined
        ? apps === undefined || teamProblems.includes(kind)
        : mayUseApp(session, app),
    )
    .map((problem) =>
      problem.kind === 'platform' && !permissions.includes('operate')
        ? { ...problem, text: platformTrouble }
        : problem,
    );
}

const platformTrouble = 'a model platform has a problem; an operator sees its details';

const find = operation({
  name: 'today find',
  about: 'find apps, keys, users, calls, requests, runs and models by name or id',
  right: 'look',
  http: ['GET /find'],
  apps: 'own',
  needs: ['catalog'],
  input: { q: line(200, 'name or id, or its start') },
  commands: [],
  result: async () => (await import('../documents/today.ts')).SearchResults,
  run: ({ admin, session, catalog }, { q }) =>
    findAnything(admin, q.trim(), {
      apps: session.apps,
      seesUsers: session.permissions.includes('users'),
      models: catalog.list().map(({ id }) => id),
    }),
});

const health = operation({
  name: 'today health',
  about: 'show the process of this response, its store, the replicas, platforms and circuits',
  right: 'look',
  http: ['GET /health'],
  apps: 'none',
  needs: ['reads', 'served', 'catalog'],
  commands: [],
  result: async () => (await import('../documents/health.ts')).Health,
  async run({ admin, session, reads, served, catalog }) {
    const read = await readHealth(admin, { config: served, catalog, live: reads.live });
    const problems = problemsFor(session, read.problems);
    const keyless = session.apps === undefined ? read.keyless : [];
    if (session.permissions.includes('operate')) return { ...read, problems, keyless };
    const platforms = read.platforms.map((platform) => ({
      ...platform,
      problem: platform.problem && platformTrouble,
    }));
    return { ...read, problems, keyless, platforms };
  },
});

const listRoles = operation({
  name: 'today roles',
  about: 'list the permissions of each role in the configuration',
  right: 'signed-in',
  http: ['GET /roles'],
  apps: 'none',
  needs: ['served'],
  commands: [],
  result: async () => (await import('../documents/access.ts')).Rights,
  run: async ({ served }) =>
    rightNames.map((right) => {
      const mayDo = (role: Role) => rightsOf(role, served.console).includes(right);
      return { right, says: rights[right].description, roles: roles.filter(mayDo) };
    }),
});

export const today: readonly Operation[] = [overview, find, health, listRoles];
