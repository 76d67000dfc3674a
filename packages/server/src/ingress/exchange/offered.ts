export interface ApiFeatures {
  readonly isStreaming: boolean;
  readonly hasEmbeddings: boolean;
  readonly hasAliases: boolean;
  readonly readsBearer: boolean;
}

export function isOffered(name: string, { hasEmbeddings }: Pick<ApiFeatures, 'hasEmbeddings'>) {
  return hasEmbeddings || name !== 'embeddings';
}
