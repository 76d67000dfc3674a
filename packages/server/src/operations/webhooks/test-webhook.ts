import type { WebhookConfig } from '../../domain/notify.ts';
import { orNearest } from '../../lib/nearest.ts';
import { enableAgain } from '../../notify/disabled-webhooks.ts';
import { formatBody } from '../../notify/formats/format.ts';
import { createResolve } from '../../notify/resolve.ts';
import { createSend, isSuccess, reasonOf } from '../../notify/send.ts';
import { readVersion } from '../../version.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import type { WebhookTestResult } from '../documents/webhooks.ts';

/**
 * Sends once, bypassing the outbox. A webhook that answered 410 and accepts the test gets events
 * again. `allNames`: the names of all webhooks. Throws an AdminError for an unknown webhook.
 */
export async function testWebhook(
  { store, clock, ids }: Pick<AdminContext, 'store' | 'clock' | 'ids'>,
  webhooks: readonly WebhookConfig[],
  name: string,
  allNames: readonly string[],
): Promise<WebhookTestResult> {
  const webhook = webhooks.find((each) => each.name === name);
  if (webhook === undefined) {
    const names = orNearest(name, allNames) || 'none';
    throw new AdminError(`unknown webhook ${name}; configured: ${names}`, {
      isBadValue: true,
      isUnknown: true,
    });
  }
  const id = ids.next('evt');
  const at = clock.now();
  const about = { type: 'test', subject: `hook:${name}`, period: id, mark: '' } as const;
  const body = formatBody({ id, at, ...about, data: { hook: name } }, webhook.format);
  const send = createSend({ clock, resolve: createResolve(), version: readVersion() });
  const sent = await send(webhook, { id, body, readsText: true });
  const isDelivered = isSuccess(sent);
  if (isDelivered) await enableAgain(store, webhook);
  const [status, words] = sent.kind === 'answered' ? [sent.status, sent.words] : [null, ''];
  return { hook: name, id, isDelivered, status, words, error: isDelivered ? null : reasonOf(sent) };
}
