import { parseKeyName } from '../../domain/key-name.ts';
import { utcMonthOf } from '../../lib/clock.ts';
import { selectUserApps } from '../../store/queries/find.ts';
import { type FoundKey, selectApps, selectKeysLike } from '../../store/queries/registry.ts';
import { selectRunsOfId } from '../../store/queries/runs.ts';
import { anyCall, callOrNone, findCalls } from '../calls/find-calls.ts';
import { type AdminContext, readingAside } from '../context/context.ts';
import type { Found } from '../documents/today.ts';

export interface Finding {
  /** Undefined: all. */
  readonly apps: readonly string[] | undefined;
  readonly seesUsers: boolean;
  readonly models: readonly string[];
}

const foundMax = 20;
const pageKeys = 1_000;
/** Shorter texts are never platform ids, so a search of calls would find nothing. */
const idLengthMin = 8;

/**
 * An app, key, user, call, request, run, model, or a platform's request id, searched in the newest
 * calls for 2 s at most.
 */
export async function findAnything(
  operator: AdminContext,
  text: string,
  finding: Finding,
): Promise<readonly Found[]> {
  const context = readingAside(operator);
  if (text.startsWith('call_')) return findCallOf(context, text, finding);
  // Platforms have ids that begin so as well.
  if (text.startsWith('req_')) {
    const found = await findCallOf(context, text, finding);
    return found.length > 0 ? found : findByPlatformsId(operator, text, finding);
  }
  if (text.startsWith('run_')) return findRun(context, text, finding);
  const named = [
    ...(await findApps(context, text, finding)),
    ...(await findKeys(context, text, finding)),
    ...(await findUsers(context, text, finding)),
    ...findModels(text, finding),
  ];
  if (named.length > 0 || text.length < idLengthMin) return named.slice(0, foundMax);
  return findByPlatformsId(operator, text, finding);
}

function isSeen({ apps }: Finding, app: string): boolean {
  return apps === undefined || apps.includes(app);
}

async function findCallOf(context: AdminContext, id: string, finding: Finding) {
  const call = await callOrNone(context, id);
  if (call === undefined || !isSeen(finding, call.app)) return [];
  return [callFound(call)];
}

function callFound({ id, app, model }: { id: string; app: string; model: string }): Found {
  return { kind: 'call', label: `${id} · ${app} · ${model}`, href: `/console/calls/${id}` };
}

async function findRun({ store }: AdminContext, id: string, finding: Finding) {
  const runs = await store.read(selectRunsOfId(id));
  return runs
    .filter(({ app }) => isSeen(finding, app))
    .map(({ app }): Found => ({ kind: 'run', label: `${id} · ${app}`, href: appHref(app) }));
}

async function findApps({ store, company }: AdminContext, text: string, finding: Finding) {
  const rows = await store.read(selectApps(company));
  return rows
    .filter(({ name }) => name.includes(text) && isSeen(finding, name))
    .map(({ name }): Found => ({ kind: 'app', label: name, href: appHref(name) }));
}

/** Page by page: one turn of the loop never handles all keys. */
async function findKeys({ store }: AdminContext, text: string, finding: Finding) {
  const found: Found[] = [];
  let page: readonly FoundKey[];
  let after = '';
  do {
    page = await store.read(selectKeysLike(text, after, pageKeys));
    found.push(...page.flatMap((key) => keyFound(key, finding)));
    after = page.at(-1)?.id ?? after;
  } while (page.length === pageKeys && found.length < foundMax);
  return found;
}

function keyFound({ id, name, customerId }: FoundKey, finding: Finding): readonly Found[] {
  const app = parseKeyName(name)?.app ?? customerId;
  if (!isSeen(finding, app)) return [];
  return [{ kind: 'key', label: `${id} · ${name}`, href: `${appHref(app)}/keys` }];
}

async function findUsers({ store, clock }: AdminContext, text: string, finding: Finding) {
  if (!finding.seesUsers) return [];
  const now = clock.now();
  const months = [utcMonthOf(now), utcMonthOf(now - 31 * 86_400_000)] as const;
  const apps = await store.read(selectUserApps(text, months));
  return apps
    .filter((app) => isSeen(finding, app))
    .map((app): Found => {
      const query = new URLSearchParams({ app, user: text });
      return { kind: 'user', label: `${text} · ${app}`, href: `/console/calls?${query}` };
    });
}

function findModels(text: string, { models }: Finding): readonly Found[] {
  return models
    .filter((id) => id.includes(text))
    .map((id): Found => ({ kind: 'model', label: id, href: '/console/models' }));
}

async function findByPlatformsId(context: AdminContext, upstreamId: string, { apps }: Finding) {
  const { calls } = await findCalls(context, { ...anyCall, apps, upstreamId, limit: 5 });
  return calls.map(callFound);
}

function appHref(app: string): string {
  return `/console/apps/${app}`;
}
