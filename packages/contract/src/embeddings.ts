import type { CallAnswer, CallFields } from './operations.ts';

/** The body of `POST /v1/embeddings`. */
export interface EmbeddingsRequest extends CallFields {
  /** One text, or up to 2,048 of them; none is empty. All of them are one call. */
  readonly input: string | readonly string[];
  /** How many numbers each embedding is to have, for models that can shorten theirs. */
  readonly dimensions?: number | undefined;
}

/** The answer of `POST /v1/embeddings`. */
export interface EmbeddingsAnswer extends CallAnswer {
  /** One for each text, in the order of the request; all of one length. */
  readonly embeddings: readonly (readonly number[])[];
}
