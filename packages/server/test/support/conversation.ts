import type { Operation } from '@model-gateway/contract';

/** An operation that continues a conversation. */
export type Conversation = Exclude<Operation, 'embeddings'>;
