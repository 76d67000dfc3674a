import type { CarriedFields, CarryName } from '../../domain/carry.ts';

/** Shown text never ends within a code point. */
export type Delta =
  | ModelContent
  | ToolInput
  | OwnFields
  /**
   * Relayed requests only: one whole platform event with the model's name changed, after all deltas
   * that it contains. The last event is the outcome's `body` instead.
   */
  | { readonly type: 'event'; readonly text: string };

/** A part; the first part of a call may have no text. */
export interface ToolInput {
  readonly type: 'tool-input';
  /** From 0, in the order in which calls begin. */
  readonly index: number;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  /** JSON as the model writes it. */
  readonly text: string;
  readonly own?: CarriedFields | undefined;
}

/** Unchanged; `text` is a JSON object. */
export interface OwnFields {
  readonly type: 'own';
  readonly text: string;
}

export type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly name?: CarryName | undefined }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      /** Usually JSON, but unchecked. */
      readonly input: string;
    };
