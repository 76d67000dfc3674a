/** What a service has beside what each has. */
export interface Offered {
  /** Whether it has an app that may have answers as they come. */
  readonly isStreaming: boolean;
  /** Whether it has a model that gives embeddings. */
  readonly hasEmbeddings: boolean;
  /** Whether its answers say which model of an alias they are of. */
  readonly hasAliases: boolean;
  /** Whether its keys may be bearers. */
  readonly readsBearer: boolean;
}

/** Whether a service has a route: that of embeddings is there where a model of them is. */
export function isOffered(name: string, { hasEmbeddings }: Pick<Offered, 'hasEmbeddings'>) {
  return hasEmbeddings || name !== 'embeddings';
}
