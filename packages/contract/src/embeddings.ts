import type { CallAnswer, CallFields } from './operations.ts';

/** The body of `POST /v1/embeddings`. */
export interface EmbeddingsRequest extends CallFields {
  /** One text, or up to 2,048, none empty; all of them are one call. */
  readonly input: string | readonly string[];
  /** The length of each embedding, for models that can shorten theirs. */
  readonly dimensions?: number | undefined;
}

/** The response of `POST /v1/embeddings`. */
export interface EmbeddingsAnswer extends CallAnswer {
  /** One for each text, in the order of the request; all of the same length. */
  readonly embeddings: readonly (readonly number[])[];
}
