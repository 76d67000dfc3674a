import type { OtherWords, RejectionShape } from '@model-gateway/simulator';

export type Wire = 'chat' | 'responses' | 'messages' | 'embeddings';

export function reportingModel(wire: Wire): string {
  return `reporting-${wire}`;
}

/** One model per shape, since the gateway stops calls to a model that keeps failing. */
export function rejectingModel(wire: Wire, shape: RejectionShape): string {
  return `rejecting-${wire}-${shape}`;
}

/** Each with status 200. */
export const rejectionShapes: Readonly<Record<Wire, readonly RejectionShape[]>> = {
  chat: [
    ...(['openai', 'openai-quota', 'openrouter', 'openrouter-choice', 'google'] as const),
    ...(['google-busy', 'vllm', 'dashscope', 'minimax', 'zhipu', 'overloaded'] as const),
  ],
  responses: ['failed', 'failed-busy', 'flat', 'openai', 'openrouter'],
  messages: ['overloaded', 'rate-limited', 'invalid', 'openrouter'],
  embeddings: ['openai', 'openrouter', 'google', 'vllm', 'dashscope'],
};

/** After the opening events of a stream, and as JSON in its place. */
export const lateShapes: Readonly<Record<Wire, readonly RejectionShape[]>> = {
  chat: ['openai', 'openrouter-choice'],
  responses: ['failed', 'flat'],
  messages: ['overloaded', 'rate-limited'],
  embeddings: [],
};

/** After counts, and not retryable: each attempt is billed its reported counts. */
export const countedShapes: Readonly<Record<Wire, RejectionShape | undefined>> = {
  chat: 'vllm',
  responses: 'openai-quota',
  messages: 'invalid',
  embeddings: undefined,
};

export const otherNames: Readonly<Record<Wire, readonly OtherWords[]>> = {
  chat: [
    ...(['choice-usage', 'x-groq', 'usage-metadata', 'input-names', 'cache-creation'] as const),
    ...(['camel-case', 'cache-creation-tokens', 'cached-creation-tokens'] as const),
    ...(['cache-creation-input-tokens', 'cached-write-tokens'] as const),
  ],
  responses: ['prompt-names', 'cache-creation-tokens', 'cached-creation-tokens'],
  messages: ['prompt-names'],
  embeddings: ['input-names', 'total-only'],
};

/** Names without a field for cache writes, or for any cached input. */
export const namesWithoutWrites: readonly OtherWords[] = ['usage-metadata'];
export const namesWithoutCache: readonly OtherWords[] = [
  ...(['input-names', 'prompt-names', 'total-only'] as const),
];

export const otherTerms: Readonly<Record<Wire, readonly OtherWords[]>> = {
  chat: ['priority', 'queries', 'unknown'],
  responses: ['priority', 'search-call', 'unknown'],
  messages: ['usage-priority', 'us-region', 'fast-speed', 'web-search', 'unknown'],
  embeddings: ['priority', 'unknown'],
};

/** The whole bill as a cost, together with these counts. */
export const reportedCosts: Readonly<Record<Wire, readonly OtherWords[]>> = {
  chat: ['cost', 'estimated-cost', 'total-cost', 'cost-ticks'],
  responses: ['cost', 'cost-ticks'],
  messages: ['cost'],
  embeddings: ['cost', 'estimated-cost'],
};

const wires = ['chat', 'responses', 'messages', 'embeddings'] as const;

export const reportedModels = wires.flatMap((wire) => {
  const shapes = new Set([
    ...[...rejectionShapes[wire], ...lateShapes[wire]],
    ...[countedShapes[wire] ?? []].flat(),
  ]);
  const ids = [reportingModel(wire), ...[...shapes].map((shape) => rejectingModel(wire, shape))];
  return ids.map((id) => ({ id, wire }));
});
