/** Optional features of a service. */
export interface Offered {
  /** Some app may stream. */
  readonly isStreaming: boolean;
  readonly hasEmbeddings: boolean;
  /** Answers name the answering model of an alias. */
  readonly hasAliases: boolean;
  readonly readsBearer: boolean;
}

/** The embeddings route needs a model for it. */
export function isOffered(name: string, { hasEmbeddings }: Pick<Offered, 'hasEmbeddings'>) {
  return hasEmbeddings || name !== 'embeddings';
}
