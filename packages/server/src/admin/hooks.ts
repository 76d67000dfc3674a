import type { HookConfig } from '../domain/notify.ts';
import { isSuccess, reasonOf } from '../notify/answer.ts';
import { formatBody } from '../notify/formats/format.ts';
import { isGone, takeBack } from '../notify/gone.ts';
import { createResolve } from '../notify/resolve.ts';
import { createSend } from '../notify/send.ts';
import { selectHookUses } from '../store/queries/alerts.ts';
import { selectGoneHooks } from '../store/queries/gone-hooks.ts';
import { selectApps } from '../store/queries/registry.ts';
import { readVersion } from '../version.ts';
import { AdminError } from './admin-error.ts';
import type { AdminContext } from './context.ts';

/** A hook, and what became of what it was to be told in the last 35 days. */
export interface HookDocument {
  readonly name: string;
  /** `left`: the file does not have it any more; `gone`: it has answered 410. */
  readonly state: 'on' | 'gone' | 'left';
  /** Where it is: what follows in the URL may be a secret. Null where the file does not say. */
  readonly origin: string | null;
  readonly format: HookConfig['format'] | null;
  readonly events: readonly string[];
  readonly at: readonly number[];
  /** Null for all of them. */
  readonly apps: readonly string[] | null;
  readonly delivered: number;
  readonly waiting: number;
  readonly dead: number;
  readonly lastError: string | null;
}

/** What came of a test. */
export interface HookTestDocument {
  readonly hook: string;
  /** What the receiver knows the test by. */
  readonly id: string;
  readonly isDelivered: boolean;
  readonly status: number | null;
  /** What the receiver said, at most its first kilobyte. */
  readonly words: string;
  /** Why it is not delivered; null where it is. */
  readonly error: string | null;
}

/** The hooks of the file, and those that the store still has something for. */
export async function listHooks(
  { store }: Pick<AdminContext, 'store'>,
  hooks: readonly HookConfig[],
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
    return { name, state, origin: new URL(url).origin, format, events, at, apps, ...useOf(name) };
  });
  const others = left.map(({ hook: name }): HookDocument => {
    const unknown = { origin: null, format: null, events: [], at: [], apps: null };
    return { name, state: 'left', ...unknown, ...useOf(name) };
  });
  return [...listed, ...others];
}

/**
 * Sends a hook a test now, past the outbox: once, whatever came before. One that answered 410 and
 * takes the test is told again from now on. Throws an AdminError for a hook that the file has not.
 */
export async function testHook(
  { store, clock, ids }: Pick<AdminContext, 'store' | 'clock' | 'ids'>,
  hooks: readonly HookConfig[],
  name: string,
): Promise<HookTestDocument> {
  const hook = hooks.find((each) => each.name === name);
  if (hook === undefined) {
    const known = hooks.map((each) => each.name).join(', ') || 'none';
    throw new AdminError(`the file has no hook ${name}; it has ${known}`, {
      isBadValue: true,
      isUnknown: true,
    });
  }
  const id = ids.next('evt');
  const at = clock.now();
  const about = { type: 'test', subject: `hook:${name}`, period: id, mark: '' } as const;
  const body = formatBody({ id, at, ...about, data: { hook: name } }, hook.format);
  const send = createSend({ clock, resolve: createResolve(), version: readVersion() });
  const sent = await send(hook, { id, body, wantsWords: true });
  const isDelivered = isSuccess(sent);
  if (isDelivered) await takeBack(store, hook);
  const [status, words] = sent.kind === 'answered' ? [sent.status, sent.words] : [null, ''];
  return { hook: name, id, isDelivered, status, words, error: isDelivered ? null : reasonOf(sent) };
}

/** Problems of hooks that name an app which is not there, a line each. */
export async function hookProblems(
  { store, company }: Pick<AdminContext, 'store' | 'company'>,
  hooks: readonly HookConfig[],
): Promise<readonly string[]> {
  if (hooks.every(({ apps }) => apps === undefined)) return [];
  const known = new Set((await store.read(selectApps(company))).map(({ name }) => name));
  return hooks.flatMap(({ apps = [] }, index) =>
    apps
      .filter((app) => !known.has(app))
      .map((app) => `notify[${index}].apps: there is no app "${app}"`),
  );
}
