import type { Proxies } from '../lib/proxy-address.ts';

/** In the order of documents. */
export const alertTypes = [
  'budget.threshold',
  'budget.refused',
  'budget.forecast',
  'budget.overrun',
  'budget.closed',
  'wallet.low',
  'platform.circuit_opened',
  'platform.circuit_closed',
  'platform.account',
  'key.expiring',
  'price.unknown',
  'price.mismatch',
  'estimates.grow',
  'invoice.drift',
  'audit.breach',
  'test',
] as const;
export type AlertType = (typeof alertTypes)[number];

/** A test event goes to the tested webhook, whatever events it names. */
export const webhookEvents: readonly AlertType[] = alertTypes.filter((type) => type !== 'test');

/** For webhooks that name none: events of users' wallets need an explicit request. */
export const defaultWebhookEvents: readonly AlertType[] = webhookEvents.filter(
  (type) => type !== 'wallet.low',
);

export const webhookFormats = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export const webhooksMax = 32;

export interface WebhookConfig {
  readonly name: string;
  /** May contain a secret in its path or query: never logged, never in an error. */
  readonly url: string;
  /** `whsec_…`: each secret signs. Two during a rotation, none if no receiver would check. */
  readonly secrets: readonly string[];
  readonly format: WebhookFormat;
  readonly events: readonly AlertType[];
  /** Thresholds of a budget, in percent. */
  readonly at: readonly number[];
  /** Undefined: all apps, and events without an app. */
  readonly apps: readonly string[] | undefined;
  /** Allows `http:` and private addresses. */
  readonly allowPrivate: boolean;
  readonly proxies?: Proxies;
}

/** Without the details for sending; `url` is undefined while a variable in it is not set. */
export type WebhookFacts = Omit<WebhookConfig, 'url' | 'secrets' | 'proxies'> & {
  readonly url: string | undefined;
};
