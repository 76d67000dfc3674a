import Type from 'typebox';
import { settingsTag } from '../../operations/apps/app-document.ts';
import { listApps } from '../../operations/apps/list-apps.ts';
import { ConsoleError } from '../../operations/console-error.ts';
import * as documents from '../../operations/documents.ts';
import { readHealth } from '../../operations/health/health.ts';
import { firstCallLine, reachableUrl } from '../../operations/keys/first-call.ts';
import { readAppPage } from '../../operations/reports/app-page.ts';
import type { Problem } from '../../operations/reports/documents.ts';
import { readToday } from '../../operations/reports/overview.ts';
import { refusalsOfApp } from '../../operations/reports/refusals.ts';
import { findAnything } from '../../operations/search/find-anything.ts';
import { masked } from '../../operations/seen.ts';
import type { Who } from '../../operations/who.ts';
import { name } from '../queries.ts';
import { type AnyRoute, type Asked, route } from '../route.ts';

/** Of what a team hears: the rest is the operators'. */
const teamProblems: readonly string[] = ['circuit', 'platform'];
const hoursMax = 24 * 35;

const overview = route({
  method: 'GET',
  path: '/admin/v1/overview',
  action: 'look',
  apps: 'own',
  summary: 'Today, in one document',
  answer: documents.Overview,
  async handle({ admin, who, reads, config }) {
    const today = await readToday(admin, { apps: who.apps, curves: await reads.curves() });
    const { problems, replicas } = await reads.problems();
    const { kind } = admin.store;
    const { host, port } = config.listen;
    const url = config.publicUrl ?? reachableUrl(reads.live.url() ?? `http://${host}:${port}`);
    const body = {
      ...today,
      problems: problemsFor(who, problems),
      well: `store: ${kind}, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
      firstCall: firstCallLine(url, 'YOUR-KEY'),
    };
    return { body };
  },
});

/** Problems of a platform may name hosts inside the network, which only operators need. */
function problemsFor({ apps, may }: Who, problems: readonly Problem[]): readonly Problem[] {
  return problems
    .filter(({ kind }) => apps === undefined || teamProblems.includes(kind))
    .map((problem) =>
      problem.kind === 'platform' && !may.includes('operate')
        ? { ...problem, text: platformTrouble }
        : problem,
    );
}

const platformTrouble = 'a model platform has a problem; an operator sees its details';

const apps = route({
  method: 'GET',
  path: '/admin/v1/apps',
  action: 'look',
  apps: 'own',
  summary: 'The apps with their settings, by name',
  answer: documents.AppsPage,
  async handle({ admin, who, config }) {
    const all = await listApps(admin, config.apps);
    const items = all.filter((app) => who.apps?.includes(app.name) !== false);
    return { body: { items, after: null } };
  },
});

const app = route({
  method: 'GET',
  path: '/admin/v1/apps/:app',
  action: 'look',
  apps: { named: 'path' },
  summary: 'One app: settings, usage, forecast, refusals, runs; its ETag is that of its settings',
  answer: documents.AppPage,
  async handle({ admin, who, parameters, reads, config }) {
    await checkIsThere(admin, parameters.app);
    const curves = await reads.curves();
    const isTeam = who.apps !== undefined;
    const page = await readAppPage(admin, parameters.app, { config, curves, isTeam });
    const runs = page.runs.map((run) => masked(who, admin.store.ring, run));
    return { body: { ...page, runs }, etag: `"${settingsTag(page.settings)}"` };
  },
});

const refusals = route({
  method: 'GET',
  path: '/admin/v1/apps/:app/refusals',
  action: 'look',
  apps: { named: 'path' },
  summary: 'What was refused of an app, by hour and reason, the newest first',
  query: Type.Object(
    {
      hours: Type.Optional(
        Type.String({ pattern: '^[1-9]\\d{0,2}$', rule: 'a whole number from 1 to 840' }),
      ),
    },
    { additionalProperties: false },
  ),
  answer: documents.RefusalsPage,
  async handle({ admin, parameters, query }) {
    await checkIsThere(admin, parameters.app);
    const hours = Number(query.hours ?? 24);
    if (hours > hoursMax) {
      throw new ConsoleError('INVALID', `hours is at most ${hoursMax}`, { field: 'hours' });
    }
    const items = await refusalsOfApp(admin, parameters.app, hours);
    return { body: { items, after: null } };
  },
});

/** Throws NOT_FOUND for an app that does not exist. */
export async function checkIsThere(admin: Asked['admin'], app: string): Promise<void> {
  const known = await listApps(admin, []);
  if (known.some((each) => each.name === app)) return;
  throw new ConsoleError('NOT_FOUND', `there is no app ${app}`);
}

const find = route({
  method: 'GET',
  path: '/admin/v1/find',
  action: 'look',
  apps: 'own',
  summary: 'What a text may mean: an app, a key, a user, a call, a request, a run, a model',
  query: Type.Object({ q: name }, { additionalProperties: false }),
  answer: documents.FoundPage,
  async handle({ admin, who, query, catalog }) {
    const models = catalog.list().map(({ id }) => id);
    const seesUsers = who.may.includes('users');
    const items = await findAnything(admin, query.q.trim(), { apps: who.apps, seesUsers, models });
    return { body: { items, after: null } };
  },
});

const health = route({
  method: 'GET',
  path: '/admin/v1/health',
  action: 'look',
  apps: 'none',
  summary: 'The process that answers, its store, the replicas, platforms and circuits',
  answer: documents.Health,
  async handle({ admin, who, reads, config, catalog }) {
    const { live } = reads;
    const body = await readHealth(admin, { config, catalog, live });
    const problems = problemsFor(who, body.problems);
    if (who.may.includes('operate')) return { body: { ...body, problems } };
    const platforms = body.platforms.map((platform) => ({
      ...platform,
      problem: platform.problem && platformTrouble,
    }));
    return { body: { ...body, problems, platforms } };
  },
});

/** What is looked at first. */
export const todayRoutes: readonly AnyRoute[] = [overview, apps, app, refusals, find, health];
