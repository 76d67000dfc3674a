import type { Shapes } from './shapes.ts';

/** A reader of outside text, and its input. */
export interface Reader {
  readonly name: string;
  /** Texts that it reads. */
  readonly shapes: Shapes;
  /** Characters of the longest text, if the reader's own limit is below the largest size. */
  readonly lengthMax?: number;
  /** The input that is read in place of the text, such as its compressed bytes. */
  readonly encode?: (text: string) => Uint8Array;
  readonly read: (input: string | Uint8Array) => unknown;
}

/** Readers that share their needs, such as a service. */
export interface Readers {
  readonly readers: readonly Reader[];
  readonly close: () => Promise<void>;
}
