import type { Fit, SchemaText } from './compile.ts';

/** Compiles a schema; may also check a value, as JSON text. */
export interface CheckRequest {
  readonly schema: SchemaText;
  readonly value: string | undefined;
}

export interface Refused {
  readonly kind: 'refused';
  readonly pattern: string | undefined;
  readonly text: string;
}

/** In order: `ready` once; then per request `compiled` and a fit. */
export type Reply = { readonly kind: 'ready' } | { readonly kind: 'compiled' } | Refused | Fit;
