import { parseKeyName } from '../../domain/key-name.ts';
import { utcMonthOf } from '../../lib/clock.ts';
import { selectUserApps } from '../../store/queries/find.ts';
import { type KeyMatch, selectApps, selectKeysLike } from '../../store/queries/registry.ts';
import { selectRunsOfId } from '../../store/queries/runs.ts';
import { anyCall, callOrNone, findCalls } from '../calls/find-calls.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { SearchResult } from '../documents/today.ts';

export interface SearchScope {
  /** Undefined: all. */
  readonly apps: readonly string[] | undefined;
  readonly seesUsers: boolean;
  readonly models: readonly string[];
}

const resultsMax = 20;
const pageKeys = 1_000;
/** Platform ids are never shorter, so a search of calls would find nothing. */
const idLengthMin = 8;

/**
 * Finds an app, key, user, call, request, run or model. A platform's request id is searched in the
 * newest calls, for 2 s at most.
 */
export async function findAnything(
  operator: AdminContext,
  text: string,
  scope: SearchScope,
): Promise<readonly SearchResult[]> {
  const context = withOperatorReads(operator);
  if (text.startsWith('call_')) return findCallOf(context, text, scope);
  // Some platforms' ids also begin with `req_`.
  if (text.startsWith('req_')) {
    const results = await findCallOf(context, text, scope);
    return results.length > 0 ? results : findByPlatformsId(operator, text, scope);
  }
  if (text.startsWith('run_')) return findRun(context, text, scope);
  const named = [
    ...(await findApps(context, text, scope)),
    ...(await findKeys(context, text, scope)),
    ...(await findUsers(context, text, scope)),
    ...findModels(text, scope),
  ];
  if (named.length > 0 || text.length < idLengthMin) return named.slice(0, resultsMax);
  return findByPlatformsId(operator, text, scope);
}

function isVisible({ apps }: SearchScope, app: string): boolean {
  return apps === undefined || apps.includes(app);
}

async function findCallOf(context: AdminContext, id: string, scope: SearchScope) {
  const call = await callOrNone(context, id);
  if (call === undefined || !isVisible(scope, call.app)) return [];
  return [callResult(call)];
}

function callResult({ id, app, model }: { id: string; app: string; model: string }): SearchResult {
  return { kind: 'call', label: `${id} · ${app} · ${model}`, href: `/console/calls/${id}` };
}

async function findRun({ store }: AdminContext, id: string, scope: SearchScope) {
  const runs = await store.read(selectRunsOfId(id));
  return runs
    .filter(({ app }) => isVisible(scope, app))
    .map(({ app }): SearchResult => ({ kind: 'run', label: `${id} · ${app}`, href: appHref(app) }));
}

async function findApps({ store, company }: AdminContext, text: string, scope: SearchScope) {
  const rows = await store.read(selectApps(company));
  return rows
    .filter(({ name }) => name.includes(text) && isVisible(scope, name))
    .map(({ name }): SearchResult => ({ kind: 'app', label: name, href: appHref(name) }));
}

/** Reads page by page, so no turn of the event loop handles all keys. */
async function findKeys({ store }: AdminContext, text: string, scope: SearchScope) {
  const results: SearchResult[] = [];
  let page: readonly KeyMatch[];
  let after = '';
  do {
    page = await store.read(selectKeysLike(text, after, pageKeys));
    results.push(...page.flatMap((key) => keyResults(key, scope)));
    after = page.at(-1)?.id ?? after;
  } while (page.length === pageKeys && results.length < resultsMax);
  return results;
}

function keyResults(
  { id, name, customerId }: KeyMatch,
  scope: SearchScope,
): readonly SearchResult[] {
  const app = parseKeyName(name)?.app ?? customerId;
  if (!isVisible(scope, app)) return [];
  return [{ kind: 'key', label: `${id} · ${name}`, href: `${appHref(app)}/keys` }];
}

async function findUsers({ store, clock }: AdminContext, text: string, scope: SearchScope) {
  if (!scope.seesUsers) return [];
  const now = clock.now();
  const months = [utcMonthOf(now), utcMonthOf(now - 31 * 86_400_000)] as const;
  const apps = await store.read(selectUserApps(text, months));
  return apps
    .filter((app) => isVisible(scope, app))
    .map((app): SearchResult => {
      const query = new URLSearchParams({ app, user: text });
      return { kind: 'user', label: `${text} · ${app}`, href: `/console/calls?${query}` };
    });
}

function findModels(text: string, { models }: SearchScope): readonly SearchResult[] {
  return models
    .filter((id) => id.includes(text))
    .map((id): SearchResult => ({ kind: 'model', label: id, href: '/console/models' }));
}

async function findByPlatformsId(context: AdminContext, upstreamId: string, { apps }: SearchScope) {
  const { calls } = await findCalls(context, { ...anyCall, apps, upstreamId, limit: 5 });
  return calls.map(callResult);
}

function appHref(app: string): string {
  return `/console/apps/${app}`;
}
