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
  /** An embedding model reads each text separately; 1 if absent. */
  readonly texts?: number;
  readonly cachesForLong?: InputKinds['cachesForLong'];
  /** Only the model's context bounds its tokens; its bytes do not. */
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
  /** In the order of attempts; `model` and `bound` belong to the first. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** The most expensive candidate; its maximum cost is reserved. */
  readonly mostExpensive: Candidate;
  readonly alias: Alias | undefined;
}
