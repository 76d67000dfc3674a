import type { Alias, CatalogModel, Price } from '../../catalog/catalog.ts';
import type { InputKinds } from '../../catalog/cost.ts';

export interface RequestSize {
  readonly bodyBytes: number;
  /**
   * Growth on the way to the model: rewritten numbers, and characters that a tokenizer normalizes.
   */
  readonly grownBytes: number;
  /** As base64, within the body. */
  readonly imageBytes: number;
  readonly images: number;
  /** As JSON, normalized to the longest form. */
  readonly schemaBytes: number;
  readonly hasTools: boolean;
  /** A model of embeddings reads each separately; 1 if absent. */
  readonly texts?: number;
  readonly cachesForLong?: InputKinds['cachesForLong'];
  /** Its bytes do not bound its tokens; only the model's context does. */
  readonly isUnbounded?: true;
  readonly maxTokens: number;
}

export interface Bound extends InputKinds {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly amountPicoUsd: bigint;
  readonly price: Price | undefined;
}

export interface Candidate {
  readonly model: CatalogModel;
  readonly bound: Bound;
}

export interface AdmittedModels extends Candidate {
  readonly kind: 'admitted';
  /** In asking order; `model` and `bound` are the first one's. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** The most expensive one: its bound is held. */
  readonly mostExpensive: Candidate;
  readonly alias: Alias | undefined;
}
