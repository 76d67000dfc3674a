import type { JsonObject } from '@model-gateway/contract';
import type { AlertType, WebhookConfig } from '../domain/notify.ts';

/** Raised once for each type, subject, period and mark. */
export interface AlertEvent {
  readonly type: AlertType;
  /** Such as `app:search` or `group:all`. */
  readonly subject: string;
  /** A UTC day, a month or an outage; a new one allows the event again. */
  readonly period: string;
  /** Several may be in one period, such as `80`; empty for a single one. */
  readonly mark: string;
  readonly atMs: number;
  /** A hook limited to apps gets only theirs. Missing for events of no app. */
  readonly apps?: readonly string[] | 'all' | undefined;
  /** For a share of a budget: only hooks whose `at` has it get the event. */
  readonly percent?: number | undefined;
  /** For the body: no prompt, answer or key, and users as pseudonyms. */
  readonly data: JsonObject;
}

export function subscribesTo({ events, at, apps }: WebhookConfig, event: AlertEvent): boolean {
  if (!events.includes(event.type)) return false;
  if (event.percent !== undefined && !at.includes(event.percent)) return false;
  if (apps === undefined || event.apps === 'all') return true;
  return event.apps?.some((app) => apps.includes(app)) === true;
}
