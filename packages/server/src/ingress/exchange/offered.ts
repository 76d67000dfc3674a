export interface Offered {
  readonly isStreaming: boolean;
  readonly hasEmbeddings: boolean;
  readonly hasAliases: boolean;
  readonly readsBearer: boolean;
}

export function isOffered(name: string, { hasEmbeddings }: Pick<Offered, 'hasEmbeddings'>) {
  return hasEmbeddings || name !== 'embeddings';
}
