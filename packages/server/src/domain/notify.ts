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

/** A test goes to the tested hook, whatever it names. */
export const webhookEvents: readonly AlertType[] = alertTypes.filter((type) => type !== 'test');

/** For hooks that name none: users' wallets need an explicit request. */
export const defaultWebhookEvents: readonly AlertType[] = webhookEvents.filter(
  (type) => type !== 'wallet.low',
);

export const webhookFormats = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export const webhooksMax = 32;

export interface WebhookConfig {
  readonly name: string;
  /** May hold a secret in its path or query: never logged, never in an error. */
  readonly url: string;
  /** `whsec_…`: each signs; two during a rotation, none where no receiver would check. */
  readonly secrets: readonly string[];
  readonly format: WebhookFormat;
  readonly events: readonly AlertType[];
  /** Shares of a budget, in percent. */
  readonly at: readonly number[];
  /** Undefined: all, and events of no app. */
  readonly apps: readonly string[] | undefined;
  /** Allows `http:` and private addresses. */
  readonly allowPrivate: boolean;
  readonly proxies?: Proxies;
}

/** Without sending details; `url` is undefined while a variable in it is not set. */
export type WebhookFacts = Omit<WebhookConfig, 'url' | 'secrets' | 'proxies'> & {
  readonly url: string | undefined;
};
