import { createHash } from 'node:crypto';
import type { WebhookConfig, WebhookFacts } from '../domain/notify.ts';
import type { Store } from '../store/port/port.ts';
import { giveUp } from '../store/queries/alerts.ts';
import {
  addDisabledWebhook,
  type DisabledWebhook,
  removeDisabledWebhook,
  selectDisabledWebhooks,
} from '../store/queries/disabled-webhooks.ts';

export const disabledReason =
  'it answered 410; nothing is sent until its configuration entry changes';

/** Webhooks that answered 410 get nothing more. The store has the list. */
export interface DisabledWebhooks {
  /** Also enables a webhook again after a successful test by any process. */
  refresh(): Promise<void>;
  has(webhook: WebhookConfig): boolean;
  add(webhook: WebhookConfig, nowMs: number): Promise<void>;
  giveUp(webhook: WebhookConfig): Promise<void>;
}

/** Empty until the first refresh. */
export function createDisabledWebhooks(store: Pick<Store, 'read' | 'write'>): DisabledWebhooks {
  let disabled: readonly DisabledWebhook[] = [];
  return {
    async refresh() {
      disabled = await store.read(selectDisabledWebhooks);
    },
    has: (webhook) => isDisabled(webhook, disabled),
    async add(webhook, at) {
      const one = { hook: webhook.name, digest: digestOf(webhook), at };
      disabled = [...disabled, one];
      await store.write([addDisabledWebhook(one), giveUp(webhook.name, disabledReason)]);
    },
    async giveUp({ name }) {
      await store.write([giveUp(name, disabledReason)]);
    },
  };
}

export function isDisabled(
  { name, url, format }: Pick<WebhookFacts, 'name' | 'url' | 'format'>,
  disabled: readonly DisabledWebhook[],
): boolean {
  const digest = url === undefined ? undefined : digestOf({ url, format });
  return disabled.some((one) => one.hook === name && one.digest === (digest ?? one.digest));
}

export async function enableAgain(
  store: Pick<Store, 'write'>,
  { name }: WebhookConfig,
): Promise<void> {
  await store.write([removeDisabledWebhook(name)]);
}

/** A hash, since a URL may contain a secret. */
function digestOf({ url, format }: Pick<WebhookConfig, 'url' | 'format'>): string {
  return createHash('sha256').update(`${format}\n${url}`).digest('hex').slice(0, 32);
}
