import type { Fit, SchemaText } from './compile.ts';

/** What a thread is asked: to compile a schema, and perhaps to check a value (JSON text) by it. */
export interface Ask {
  readonly schema: SchemaText;
  readonly value: string | undefined;
}

/** Why a schema cannot be compiled. */
export interface Refused {
  readonly kind: 'refused';
  /** The pattern that is none, where that is why. */
  readonly pattern: string | undefined;
  readonly text: string;
}

/** What a thread says, in this order: `ready` once, then for each ask `compiled` and a fit. */
export type Reply = { readonly kind: 'ready' } | { readonly kind: 'compiled' } | Refused | Fit;
