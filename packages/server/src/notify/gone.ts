import { createHash } from 'node:crypto';
import type { HookConfig, HookFacts } from '../domain/notify.ts';
import type { Store } from '../store/port/port.ts';
import { giveUp } from '../store/queries/alerts.ts';
import {
  forgetGone,
  type GoneHook,
  noteGone,
  selectGoneHooks,
} from '../store/queries/gone-hooks.ts';

export const goneReason = 'it answered 410; nothing is sent until its configuration entry changes';

/** Nothing more is sent to hooks that answered 410. The store has the list. */
export interface GoneHooks {
  /** A successful test, by any process, removes a hook. */
  refresh(): Promise<void>;
  has(hook: HookConfig): boolean;
  add(hook: HookConfig, nowMs: number): Promise<void>;
  giveUp(hook: HookConfig): Promise<void>;
}

/** Empty until the first refresh. */
export function createGoneHooks(store: Pick<Store, 'read' | 'write'>): GoneHooks {
  let gone: readonly GoneHook[] = [];
  return {
    async refresh() {
      gone = await store.read(selectGoneHooks);
    },
    has: (hook) => isGone(hook, gone),
    async add(hook, at) {
      const one = { hook: hook.name, digest: digestOf(hook), at };
      gone = [...gone, one];
      await store.write([noteGone(one), giveUp(hook.name, goneReason)]);
    },
    async giveUp({ name }) {
      await store.write([giveUp(name, goneReason)]);
    },
  };
}

export function isGone(
  { name, url, format }: Pick<HookFacts, 'name' | 'url' | 'format'>,
  gone: readonly GoneHook[],
): boolean {
  const digest = url === undefined ? undefined : digestOf({ url, format });
  return gone.some((one) => one.hook === name && one.digest === (digest ?? one.digest));
}

export async function takeBack(store: Pick<Store, 'write'>, { name }: HookConfig): Promise<void> {
  await store.write([forgetGone(name)]);
}

/** A hash, since a URL may contain a secret. */
function digestOf({ url, format }: Pick<HookConfig, 'url' | 'format'>): string {
  return createHash('sha256').update(`${format}\n${url}`).digest('hex').slice(0, 32);
}
