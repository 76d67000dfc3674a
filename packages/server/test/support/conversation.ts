import type { Operation } from '@model-gateway/contract';

/** An operation that goes on with a conversation. */
export type Conversation = Exclude<Operation, 'embeddings'>;
