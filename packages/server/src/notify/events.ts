import type { JsonObject } from '@model-gateway/contract';
import type { AlertType, WebhookConfig } from '../domain/notify.ts';

/** Raised once for each type, subject, period and mark. */
export interface AlertEvent {
  readonly type: AlertType;
  /** Such as `app:search` or `group:all`. */
  readonly subject: string;
  /** A UTC day, a month or an outage; a new one allows the event again. */
  readonly period: string;
  /** The threshold, such as `80`, where a period can have several events; else empty. */
  readonly mark: string;
  readonly atMs: number;
  /** A webhook limited to apps gets only their events. Missing for events without an app. */
  readonly apps?: readonly string[] | 'all' | undefined;
  /** The reached share of a budget: only webhooks whose `at` contains it get the event. */
  readonly percent?: number | undefined;
  /** The event's body: no prompt, response or key, and users as pseudonyms. */
  readonly data: JsonObject;
}

export function subscribesTo({ events, at, apps }: WebhookConfig, event: AlertEvent): boolean {
  if (!events.includes(event.type)) return false;
  if (event.percent !== undefined && !at.includes(event.percent)) return false;
  if (apps === undefined || event.apps === 'all') return true;
  return event.apps?.some((app) => apps.includes(app)) === true;
}
