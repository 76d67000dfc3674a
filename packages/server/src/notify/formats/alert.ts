import type { JsonObject } from '@model-gateway/contract';
import type { AlertType } from '../../domain/notify.ts';

export interface Alert {
  /** The same for each hook, and on each retry. */
  readonly id: string;
  readonly type: AlertType;
  readonly subject: string;
  readonly period: string;
  readonly mark: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: JsonObject;
}
