import type { Fit, SchemaText } from './compile.ts';

/** Compiles a schema; may also check a value (JSON text). */
export interface CheckRequest {
  readonly schema: SchemaText;
  readonly value: string | undefined;
}

export interface Refused {
  readonly kind: 'refused';
  readonly pattern: string | undefined;
  readonly text: string;
}

/** In order: `ready` once, then per ask `compiled` and a fit. */
export type Reply = { readonly kind: 'ready' } | { readonly kind: 'compiled' } | Refused | Fit;
