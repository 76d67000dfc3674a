import type { JsonEdit } from '../../../lib/json-text.ts';

/**
 * A closed list: unknown fields are not sent, because they might cost more than the reservation.
 */
export type Shape =
  | 'any'
  /** As `any`; a text must be JSON. */
  | 'json-text'
  /** Base64. */
  | 'image'
  | 'media-type'
  /** Dropped: it changes neither price nor meaning. */
  | 'unsent'
  | { readonly imageUrl: RegExp }
  /** Allows null and false. `isAlways`: rejected in past messages, too. */
  | { readonly refused: string; readonly isAlways?: true }
  /** Bytes do not bound it: rejected, or the whole context is reserved. */
  | { readonly unbounded: string }
  /** Other values have other prices, and are rejected. */
  | { readonly only: readonly unknown[] }
  | { readonly words: readonly string[] }
  /** Cache lifetime. `isDefault`: also for input without its own lifetime. */
  | { readonly lifetime: Lifetimes; readonly isDefault?: true }
  | {
      readonly list: Shape;
      readonly orText?: true;
      /** The replacement for a droppable item; undefined removes the item. */
      readonly placeholder?: { readonly json: string | undefined };
      /** Items from the model, or with later messages, are history. */
      readonly pastOf?: (items: readonly unknown[]) => IsPast;
    }
  | {
      readonly fields: Readonly<Record<string, Shape>>;
      readonly named?: string;
      readonly tokens?: number;
      /** Contains tools, which the platform might send the model a second time. */
      readonly isSchema?: true;
    }
  | {
      readonly kindOf: (
        type: unknown,
        value: Readonly<Record<string, unknown>>,
      ) => Shape | 'server-tool' | undefined;
    };

export type FieldsShape = Extract<Shape, { readonly fields: unknown }>;

export type IsPast = (item: unknown, index: number) => boolean;

export interface Lifetimes {
  readonly short: string;
  readonly long: string;
  readonly areReported: boolean;
}

export interface ShapeRules {
  /** `keep`: a later reader decides. History is always lenient. */
  readonly unknownFields: 'refuse' | 'ignore' | 'keep';
  readonly serverTools: 'refuse' | 'remove';
  readonly unboundedInput: 'refuse' | 'hold-context';
}

export interface Inspected {
  readonly edits: JsonEdit[];
  readonly dropped: string[];
  readonly schemas: unknown[];
  images: number;
  imageBytes: number;
  addedTokens: number;
  /** Bytes do not bound its tokens. */
  isUnbounded: boolean;
  longField: string | undefined;
  isLongReported: boolean;
  hasShort: boolean;
  isLongDefault: boolean;
}
