import type { JsonObject } from '@model-gateway/contract';
import type { AlertType, HookConfig } from '../domain/notify.ts';

/** Something that operators are told: once for each type, subject, period and mark. */
export interface AlertEvent {
  readonly type: AlertType;
  /** What it is about, such as `app:search` or `group:all`. */
  readonly subject: string;
  /** When it may be told again: a UTC day or month, or an outage. */
  readonly period: string;
  /** Which of several of one period, such as `80`; empty where there is one. */
  readonly mark: string;
  readonly atMs: number;
  /** Whose it is: a hook of some apps is told of these alone. Missing for what is of no app. */
  readonly apps?: readonly string[] | 'all' | undefined;
  /** For a share of a budget: only hooks whose `at` has it are told. */
  readonly percent?: number | undefined;
  /** What the body says; no prompt, no answer, no key, and users as pseudonyms. */
  readonly data: JsonObject;
}

/** Whether a hook is told of an event. */
export function isWanted({ events, at, apps }: HookConfig, event: AlertEvent): boolean {
  if (!events.includes(event.type)) return false;
  if (event.percent !== undefined && !at.includes(event.percent)) return false;
  if (apps === undefined || event.apps === 'all') return true;
  return event.apps?.some((app) => apps.includes(app)) === true;
}
