import type { WebhookConfig, WebhookFacts } from '../../domain/notify.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { isDisabled } from '../../notify/disabled-webhooks.ts';
import { selectWebhookUses } from '../../store/queries/alerts.ts';
import { selectDisabledWebhooks } from '../../store/queries/disabled-webhooks.ts';
import { selectApps } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { WebhookDocument } from '../documents/webhooks.ts';

/** Includes removed webhooks that still have deliveries in the store. */
export async function listWebhooks(
  { store }: Pick<AdminContext, 'store'>,
  webhooks: readonly WebhookFacts[],
): Promise<readonly WebhookDocument[]> {
  const uses = await store.read(selectWebhookUses);
  const disabled = await store.read(selectDisabledWebhooks);
  const removed = uses.filter(({ hook }) => !webhooks.some(({ name }) => name === hook));
  const useOf = (name: string) => {
    const {
      delivered = 0,
      waiting = 0,
      dead = 0,
      lastError = null,
    } = uses.find(({ hook }) => hook === name) ?? {};
    return { delivered, waiting, dead, lastError };
  };
  const listed = webhooks.map((webhook): WebhookDocument => {
    const { name, url, format, events, at, apps = null } = webhook;
    const state = isDisabled(webhook, disabled) ? 'gone' : 'on';
    const origin = url === undefined ? null : new URL(url).origin;
    return { name, state, origin, format, events, at, apps, ...useOf(name) };
  });
  const others = removed.map(({ hook: name }): WebhookDocument => {
    const unknown = { origin: null, format: null, events: [], at: [], apps: null };
    return { name, state: 'left', ...unknown, ...useOf(name) };
  });
  return [...listed, ...others];
}

/** Returns one line per webhook that names an unknown app. */
export async function webhookProblems(
  { store, company }: Pick<AdminContext, 'store' | 'company'>,
  webhooks: readonly WebhookConfig[],
): Promise<readonly string[]> {
  if (webhooks.every(({ apps }) => apps === undefined)) return [];
  const known = new Set((await store.read(selectApps(company))).map(({ name }) => name));
  return webhooks.flatMap(({ apps = [] }, index) =>
    apps
      .filter((app) => !known.has(app))
      .map((app) => {
        const question = didYouMean(app, [...known]);
        return `notify[${index}].apps: unknown app "${app}"${question && `; ${question}`}`;
      }),
  );
}
