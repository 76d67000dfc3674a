import type { Operation } from '@model-gateway/contract';

export type Conversation = Exclude<Operation, 'embeddings'>;
