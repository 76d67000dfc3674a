import type { CarriedFields, CarryName } from '../../domain/carry.ts';

/** A piece of an answer that comes. Text that is shown never ends within a code point. */
export type Delta =
  | ModelContent
  | ToolInput
  | OwnFields
  /**
   * One whole event as the platform wrote it, the model's name aside, behind all that was read in
   * it. Only of a relayed request; the last event is none of these, but the outcome's `body`.
   */
  | { readonly type: 'event'; readonly text: string };

/** A piece of a tool call that is not whole yet; the first of a call may have no text. */
export interface ToolInput {
  readonly type: 'tool-input';
  /** Which of the answer's tool calls, from 0 in the order in which they began. */
  readonly index: number;
  /** With its first piece. */
  readonly toolCallId?: string | undefined;
  /** With its first piece, or as soon as it is known. */
  readonly toolName?: string | undefined;
  /** Of its JSON, as the model writes it. */
  readonly text: string;
  /** Further fields of the call, as they came. */
  readonly own?: CarriedFields | undefined;
}

/** What is neither text nor a call, as it came; `text` is its JSON, an object. */
export interface OwnFields {
  readonly type: 'own';
  readonly text: string;
}

/** A part of what a model wrote. */
export type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  /** `name` is the name of its field, if it has one. */
  | { readonly type: 'reasoning'; readonly text: string; readonly name?: CarryName | undefined }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      /** As the model wrote it: JSON, if all is well. */
      readonly input: string;
    };
