import { rightNames, rights, type Who } from '../context/who.ts';
import { line } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import type { Problem } from '../documents/today.ts';
import { readHealth } from '../health/health.ts';
import { firstCallLine, reachableUrl } from '../keys/sample-keys.ts';
import { readToday } from '../reports/overview.ts';
import { findAnything } from './find-anything.ts';

const overview = operation({
  name: 'today overview',
  about: 'show today, in one document',
  right: 'look',
  http: ['GET /overview'],
  apps: 'own',
  needs: ['reads', 'served'],
  commands: [],
  result: async () => (await import('../documents/today.ts')).Overview,
  async run({ admin, who, reads, served }) {
    const today = await readToday(admin, { apps: who.apps, curves: await reads.curves() });
    const { problems, replicas } = await reads.problems();
    const { host, port } = served.listen;
    const url = served.publicUrl ?? reachableUrl(reads.live.url() ?? `http://${host}:${port}`);
    return {
      ...today,
      problems: problemsFor(who, problems),
      well: `store: ${admin.store.kind}, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
      firstCall: firstCallLine(url, 'YOUR-KEY'),
    };
  },
});

const teamProblems: readonly string[] = ['circuit', 'platform'];

/** A platform's problems may name internal hosts, which only operators need. */
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

const find = operation({
  name: 'today find',
  about: 'find what a text may mean: an app, a key, a user, a call, a request, a run, a model',
  right: 'look',
  http: ['GET /find'],
  apps: 'own',
  needs: ['catalog'],
  input: { q: line(200, 'a name or an id, or the beginning of one') },
  commands: [],
  result: async () => (await import('../documents/today.ts')).FoundItems,
  run: ({ admin, who, catalog }, { q }) =>
    findAnything(admin, q.trim(), {
      apps: who.apps,
      seesUsers: who.may.includes('users'),
      models: catalog.list().map(({ id }) => id),
    }),
});

const health = operation({
  name: 'today health',
  about: 'show the process that answers, its store, the replicas, platforms and circuits',
  right: 'look',
  http: ['GET /health'],
  apps: 'none',
  needs: ['reads', 'served', 'catalog'],
  commands: [],
  result: async () => (await import('../documents/health.ts')).Health,
  async run({ admin, who, reads, served, catalog }) {
    const read = await readHealth(admin, { config: served, catalog, live: reads.live });
    const problems = problemsFor(who, read.problems);
    if (who.may.includes('operate')) return { ...read, problems };
    const platforms = read.platforms.map((platform) => ({
      ...platform,
      problem: platform.problem && platformTrouble,
    }));
    return { ...read, problems, platforms };
  },
});

const listRoles = operation({
  name: 'today roles',
  about: 'list which roles may what',
  right: 'signed-in',
  http: ['GET /roles'],
  apps: 'none',
  commands: [],
  result: async () => (await import('../documents/access.ts')).Rights,
  run: async () =>
    rightNames.map((right) => {
      const { says, roles } = rights[right];
      return { right, says, roles: [...roles] };
    }),
});

export const today: readonly Operation[] = [overview, find, health, listRoles];
