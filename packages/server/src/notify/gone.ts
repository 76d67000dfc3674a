import { createHash } from 'node:crypto';
import type { HookConfig, HookFacts } from '../domain/notify.ts';
import type { Store } from '../store/port.ts';
import { giveUp } from '../store/queries/alerts.ts';
import {
  forgetGone,
  type GoneHook,
  noteGone,
  selectGoneHooks,
} from '../store/queries/gone-hooks.ts';

/** Why nothing is sent to such a hook. */
export const goneReason = 'it has answered 410: nothing is sent until its entry changes';

/** Hooks that have answered 410, as the store has them: they are sent nothing more. */
export interface GoneHooks {
  /** Reads which they are: a test that got through, by whichever process, has taken one out. */
  refresh(): Promise<void>;
  has(hook: HookConfig): boolean;
  /** Gives up what waits for it, and what will wait. */
  add(hook: HookConfig, nowMs: number): Promise<void>;
  giveUp(hook: HookConfig): Promise<void>;
}

/** None until they are read. */
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

/** Whether a hook, as the file has it now, has answered 410: by name where its URL is unknown. */
export function isGone(
  { name, url, format }: Pick<HookFacts, 'name' | 'url' | 'format'>,
  gone: readonly GoneHook[],
): boolean {
  const digest = url === undefined ? undefined : digestOf({ url, format });
  return gone.some((one) => one.hook === name && one.digest === (digest ?? one.digest));
}

/** A hook takes what it is sent again. */
export async function takeBack(store: Pick<Store, 'write'>, { name }: HookConfig): Promise<void> {
  await store.write([forgetGone(name)]);
}

/** What of an entry says where it leads; its URL, which may hold a secret, cannot be read off. */
function digestOf({ url, format }: Pick<HookConfig, 'url' | 'format'>): string {
  return createHash('sha256').update(`${format}\n${url}`).digest('hex').slice(0, 32);
}
