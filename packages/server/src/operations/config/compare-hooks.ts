import type { HookConfig } from '../../domain/notify.ts';
import type { AdminContext } from '../context.ts';
import { listHooks } from '../hooks/hooks.ts';

/** What a start would do with a hook of the file, or of which the store still has events. */
export interface HookDifference {
  readonly hook: string;
  /**
   * `tell`: there was nothing to tell it yet; `leave`: it is told as before; `off`: it has answered
   * 410; `end`: the file does not have it any more.
   */
  readonly atStart: 'tell' | 'leave' | 'off' | 'end';
  /** Events that wait for it. */
  readonly waiting: number;
}

/** Compares the hooks of a file with what the store knows of them. */
export async function compareHooks(
  context: Pick<AdminContext, 'store'>,
  hooks: readonly HookConfig[],
): Promise<readonly HookDifference[]> {
  const listed = await listHooks(context, hooks);
  return listed.map(({ name: hook, state, delivered, waiting, dead }) => {
    const isNew = delivered + waiting + dead === 0;
    const atStart = { on: isNew ? 'tell' : 'leave', gone: 'off', left: 'end' } as const;
    return { hook, atStart: atStart[state], waiting };
  });
}
