import type { Proxies } from '../lib/proxy-address.ts';

/** What operators can be told of, in the order in which documents list it. */
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

/** What a hook may name: a test is sent to the hook that is tested, whatever it names. */
export const hookEvents: readonly AlertType[] = alertTypes.filter((type) => type !== 'test');

/** What a hook is told that names none: of users' wallets only those who ask for it. */
export const defaultHookEvents: readonly AlertType[] = hookEvents.filter(
  (type) => type !== 'wallet.low',
);

/** As what a body is written: as Standard Webhooks says, or for a chat's own hook. */
export const hookFormats = ['standard', 'slack', 'teams'] as const;
export type HookFormat = (typeof hookFormats)[number];

/** Entries of `notify` at most: each may have attempts under way at any time. */
export const hooksMax = 32;

/** One entry of `notify`: who is told, of what. */
export interface HookConfig {
  readonly name: string;
  /** May hold a secret in its path or query: never logged and never in an error. */
  readonly url: string;
  /** `whsec_…`: each signs; two while one is rotated, none where no receiver would check it. */
  readonly secrets: readonly string[];
  readonly format: HookFormat;
  readonly events: readonly AlertType[];
  /** Which shares of a budget it is told, in percent. */
  readonly at: readonly number[];
  /** Only of these apps; undefined for all there are, and for what is of no app. */
  readonly apps: readonly string[] | undefined;
  /** Whether `http:` and addresses that only a private network has are meant. */
  readonly allowPrivate: boolean;
  /** Those of the environment; absent where it names none. */
  readonly proxies?: Proxies;
}

/** A hook without what it is sent with; `url` is undefined while a variable in it is not set. */
export type HookFacts = Omit<HookConfig, 'url' | 'secrets' | 'proxies'> & {
  readonly url: string | undefined;
};
