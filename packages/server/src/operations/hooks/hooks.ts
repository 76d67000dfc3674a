import type { HookConfig, HookFacts } from '../../domain/notify.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { isGone } from '../../notify/gone.ts';
import { selectHookUses } from '../../store/queries/alerts.ts';
import { selectGoneHooks } from '../../store/queries/gone-hooks.ts';
import { selectApps } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { HookDocument } from '../documents/hooks.ts';

/** Also hooks that only the store has something for. */
export async function listHooks(
  { store }: Pick<AdminContext, 'store'>,
  hooks: readonly HookFacts[],
): Promise<readonly HookDocument[]> {
  const uses = await store.read(selectHookUses);
  const gone = await store.read(selectGoneHooks);
  const left = uses.filter(({ hook }) => !hooks.some(({ name }) => name === hook));
  const useOf = (name: string) => {
    const {
      delivered = 0,
      waiting = 0,
      dead = 0,
      lastError = null,
    } = uses.find(({ hook }) => hook === name) ?? {};
    return { delivered, waiting, dead, lastError };
  };
  const listed = hooks.map((hook): HookDocument => {
    const { name, url, format, events, at, apps = null } = hook;
    const state = isGone(hook, gone) ? 'gone' : 'on';
    const origin = url === undefined ? null : new URL(url).origin;
    return { name, state, origin, format, events, at, apps, ...useOf(name) };
  });
  const others = left.map(({ hook: name }): HookDocument => {
    const unknown = { origin: null, format: null, events: [], at: [], apps: null };
    return { name, state: 'left', ...unknown, ...useOf(name) };
  });
  return [...listed, ...others];
}

/** One line per hook that names an unknown app. */
export async function hookProblems(
  { store, company }: Pick<AdminContext, 'store' | 'company'>,
  hooks: readonly HookConfig[],
): Promise<readonly string[]> {
  if (hooks.every(({ apps }) => apps === undefined)) return [];
  const known = new Set((await store.read(selectApps(company))).map(({ name }) => name));
  return hooks.flatMap(({ apps = [] }, index) =>
    apps
      .filter((app) => !known.has(app))
      .map((app) => {
        const question = didYouMean(app, [...known]);
        return `notify[${index}].apps: unknown app "${app}"${question && `; ${question}`}`;
      }),
  );
}
