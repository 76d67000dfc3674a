import type { HookConfig } from '../../domain/notify.ts';
import type { AdminContext } from '../context/context.ts';
import type { HookDifference } from '../documents/config.ts';
import { listHooks } from '../hooks/hooks.ts';

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
