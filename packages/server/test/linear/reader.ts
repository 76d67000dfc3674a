import type { Shapes } from './shapes.ts';

/** A reader of what comes from outside, and what it is given. */
export interface Reader {
  readonly name: string;
  /** Texts that it reads. */
  readonly shapes: Shapes;
  /** Characters of the longest one, where the reader's own limit is lower than the largest size. */
  readonly lengthMax?: number;
  /** What is read in the place of the text, such as its compressed bytes. */
  readonly encode?: (text: string) => Uint8Array;
  readonly read: (input: string | Uint8Array) => unknown;
}

/** Readers that share what they need, such as a service. */
export interface Readers {
  readonly readers: readonly Reader[];
  readonly close: () => Promise<void>;
}
