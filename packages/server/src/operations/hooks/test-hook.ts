import type { HookConfig } from '../../domain/notify.ts';
import { orNearest } from '../../lib/nearest.ts';
import { formatBody } from '../../notify/formats/format.ts';
import { takeBack } from '../../notify/gone.ts';
import { createResolve } from '../../notify/resolve.ts';
import { createSend, isSuccess, reasonOf } from '../../notify/send.ts';
import { readVersion } from '../../version.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import type { HookTested } from '../documents/hooks.ts';

/**
 * Sends once, past the outbox. A hook that answered 410 and takes the test gets events again.
 * `known`: the names of all hooks. Throws an AdminError for any other.
 */
export async function testHook(
  { store, clock, ids }: Pick<AdminContext, 'store' | 'clock' | 'ids'>,
  hooks: readonly HookConfig[],
  name: string,
  known: readonly string[],
): Promise<HookTested> {
  const hook = hooks.find((each) => each.name === name);
  if (hook === undefined) {
    const names = orNearest(name, known) || 'none';
    throw new AdminError(`unknown webhook ${name}; configured: ${names}`, {
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
