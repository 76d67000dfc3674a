import type { OtherWords, RejectionShape } from '@model-gateway/simulator';

/** The format in which the platform is called. */
export type Wire = 'chat' | 'responses' | 'messages' | 'embeddings';

/** The model of a format that does what it is told. */
export function reportingModel(wire: Wire): string {
  return `reporting-${wire}`;
}

/** That of one shape of a rejection: the calls to a model that keeps failing are stopped. */
export function rejectingModel(wire: Wire, shape: RejectionShape): string {
  return `rejecting-${wire}-${shape}`;
}

/** In which shapes a platform of each format rejects calls with status 200. */
export const rejectionShapes: Readonly<Record<Wire, readonly RejectionShape[]>> = {
  chat: [
    ...(['openai', 'openai-quota', 'openrouter', 'openrouter-choice', 'google'] as const),
    ...(['google-busy', 'vllm', 'dashscope', 'minimax', 'zhipu', 'overloaded'] as const),
  ],
  responses: ['failed', 'failed-busy', 'flat', 'openai', 'openrouter'],
  messages: ['overloaded', 'rate-limited', 'invalid', 'openrouter'],
  embeddings: ['openai', 'openrouter', 'google', 'vllm', 'dashscope'],
};

/** The same after the opening events of a stream, and as JSON in its place. */
export const lateShapes: Readonly<Record<Wire, readonly RejectionShape[]>> = {
  chat: ['openai', 'openrouter-choice'],
  responses: ['failed', 'flat'],
  messages: ['overloaded', 'rate-limited'],
  embeddings: [],
};

/** One that no retry can help, after counts: each attempt is billed what it has reported. */
export const countedShapes: Readonly<Record<Wire, RejectionShape | undefined>> = {
  chat: 'vllm',
  responses: 'openai-quota',
  messages: 'invalid',
  embeddings: undefined,
};

/** True counts by other names. */
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

/** Names that have no place for what is written to the cache, or for any cached input. */
export const namesWithoutWrites: readonly OtherWords[] = ['usage-metadata'];
export const namesWithoutCache: readonly OtherWords[] = [
  ...(['input-names', 'prompt-names', 'total-only'] as const),
];

/** Terms other than the priced ones, with counts that are half of the bill. */
export const otherTerms: Readonly<Record<Wire, readonly OtherWords[]>> = {
  chat: ['priority', 'queries', 'unknown'],
  responses: ['priority', 'search-call', 'unknown'],
  messages: ['usage-priority', 'us-region', 'fast-speed', 'web-search', 'unknown'],
  embeddings: ['priority', 'unknown'],
};

/** The whole bill as a reported cost, with such counts. */
export const reportedCosts: Readonly<Record<Wire, readonly OtherWords[]>> = {
  chat: ['cost', 'estimated-cost', 'total-cost', 'cost-ticks'],
  responses: ['cost', 'cost-ticks'],
  messages: ['cost'],
  embeddings: ['cost', 'estimated-cost'],
};

const wires = ['chat', 'responses', 'messages', 'embeddings'] as const;

/** Every model of the stage, with its format. */
export const reportedModels = wires.flatMap((wire) => {
  const shapes = new Set([
    ...[...rejectionShapes[wire], ...lateShapes[wire]],
    ...[countedShapes[wire] ?? []].flat(),
  ]);
  const ids = [reportingModel(wire), ...[...shapes].map((shape) => rejectingModel(wire, shape))];
  return ids.map((id) => ({ id, wire }));
});
