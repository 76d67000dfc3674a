import type { JsonEdit } from '../../../lib/json-text.ts';

/**
 * What a part of a relayed body may be. What is not in it is not sent: a closed list, since a field
 * that is not known may cost what no hold covers.
 */
export type Shape =
  /** Counts as bytes, and as nothing else, whatever it is. */
  | 'any'
  /** The same, and where it is a text, one of JSON. */
  | 'json-text'
  /** Base64 of an image. */
  | 'image'
  /** Is written in lower case. */
  | 'media-type'
  /** Changes neither a price nor a meaning, and is not sent. */
  | 'unsent'
  /** A URL that holds its image, and starts like this. */
  | { readonly imageUrl: RegExp }
  /** Refused, unless it is null or false; `isAlways`: in past messages too. */
  | { readonly refused: string; readonly isAlways?: true }
  /** Input that its bytes do not bound: refused, or reserved as the whole context. */
  | { readonly unbounded: string }
  /** One of these: another value has another price. */
  | { readonly only: readonly unknown[] }
  /** One of these words: no other means anything. */
  | { readonly words: readonly string[] }
  /** For how long input is cached; `isDefault`: also the input that names no lifetime itself. */
  | { readonly lifetime: Lifetimes; readonly isDefault?: true }
  | {
      readonly list: Shape;
      readonly orText?: true;
      /** What takes the place of an item that may be left out; undefined takes it out. */
      readonly leftOut?: { readonly json: string | undefined };
      /** Which items are history: the model wrote them, or later messages followed them. */
      readonly pastOf?: (items: readonly unknown[]) => IsPast;
    }
  | {
      readonly fields: Readonly<Record<string, Shape>>;
      /** The field that must be a text; the others may be missing. */
      readonly named?: string;
      readonly tokens?: number;
      /** Has tools: what it says may be told to the model a second time. */
      readonly isSchema?: true;
    }
  | {
      readonly kindOf: (
        type: unknown,
        value: Readonly<Record<string, unknown>>,
      ) => Shape | 'server-tool' | undefined;
    };

/** The shape of an object. */
export type FieldsShape = Extract<Shape, { readonly fields: unknown }>;

/** Whether an item of a conversation is history, which its caller can no longer change. */
export type IsPast = (item: unknown, index: number) => boolean;

/** The lifetimes that a cache has. */
export interface Lifetimes {
  readonly short: string;
  readonly long: string;
  /** Whether responses state how much was cached for each. */
  readonly areStated: boolean;
}

/** What becomes of what a shape does not have. */
export interface ShapeRules {
  /** `keep`: what reads the body after this decides. History is read leniently in any case. */
  readonly unknownFields: 'refuse' | 'ignore' | 'keep';
  readonly serverTools: 'refuse' | 'remove';
  readonly unboundedInput: 'refuse' | 'hold-context';
}

/** What a body holds that its cost depends on, and what is taken out of it. */
export interface Inspected {
  readonly edits: JsonEdit[];
  /** Paths of what is left out. */
  readonly dropped: string[];
  /** What a model may be told a second time. */
  readonly schemas: unknown[];
  images: number;
  imageBytes: number;
  /** Input that the platform adds for tools of its own, and texts in place of parts left out. */
  addedTokens: number;
  /** Whether its bytes do not bound its tokens. */
  isUnbounded: boolean;
  /** The first field that requests the long lifetime of the cache. */
  longField: string | undefined;
  /** Whether responses state how much was cached for it. */
  isLongStated: boolean;
  /** Whether a field requests the short one. */
  hasShort: boolean;
  /** Whether the long one is that of all input that names none. */
  isLongDefault: boolean;
}
