import type { ModelMessage, ModelRequest, ToolCallText } from './model-request.ts';

/** Tokens of one call. Input includes both cached kinds, output includes reasoning. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  /** Of what is written to the cache, what is kept for an hour; absent for nothing. */
  readonly cacheWrite1hInputTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** The constants of the counting rule, in tokens unless they say bytes. See the README. */
export const countingRule = {
  bytesPerToken: 4,
  perRequest: 16,
  perMessage: 4,
  perImage: 1_000,
  perFile: 20_000,
  perToolCall: 4,
  perTool: 8,
  perSchema: 8,
  /** Input is never counted above the bytes of the body and these tokens, but for files. */
  aboveBodyBytesMax: 1_024,
} as const;

/** Tokens of one text: its UTF-8 bytes by four, rounded up. */
export function countTextTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / countingRule.bytesPerToken);
}

/** Input tokens of a request whose body has `bodyBytes` bytes. */
export function countInputTokens(request: ModelRequest, bodyBytes: number): number {
  let tokens = countingRule.perRequest;
  for (const message of request.messages) tokens += countMessageTokens(message);
  for (const tool of request.tools) {
    tokens += countingRule.perTool + countTextTokens(tool.name);
    tokens += countTextTokens(tool.description) + countJsonTokens(tool.parameters);
  }
  if (request.format.kind === 'json-schema') {
    tokens += countingRule.perSchema + countJsonTokens(request.format.schema);
  }
  const files = request.messages.reduce((sum, { fileCount = 0 }) => sum + fileCount, 0);
  const ofBody = Math.min(tokens, bodyBytes + countingRule.aboveBodyBytesMax);
  return ofBody + files * countingRule.perFile;
}

/**
 * Input tokens for a tokenizer that normalizes before it splits, and has a token for each byte of
 * the longer of both composed forms: as many as can be.
 */
export function countNormalizedInputTokens({ messages }: ModelRequest): number {
  let tokens = countingRule.perRequest;
  for (const { texts } of messages) {
    tokens += countingRule.perMessage;
    for (const text of texts) {
      const forms = [text, text.normalize('NFC'), text.normalize('NFKC')];
      tokens += Math.max(...forms.map((form) => Buffer.byteLength(form)));
    }
  }
  return tokens;
}

/** Output tokens of what a model produced, without its reasoning. */
export function countOutputTokens(text: string, toolCalls: readonly ToolCallText[]): number {
  let tokens = countTextTokens(text);
  for (const toolCall of toolCalls) tokens += countToolCallTokens(toolCall);
  return tokens;
}

/** Tokens of one tool call, the same whether it is produced or sent back as history. */
export function countToolCallTokens(toolCall: ToolCallText): number {
  return (
    countingRule.perToolCall + countTextTokens(toolCall.name) + countTextTokens(toolCall.arguments)
  );
}

function countMessageTokens(message: ModelMessage): number {
  let tokens = countingRule.perMessage + message.imageCount * countingRule.perImage;
  for (const text of message.texts) tokens += countTextTokens(text);
  for (const toolCall of message.toolCalls) tokens += countToolCallTokens(toolCall);
  return tokens;
}

function countJsonTokens(value: unknown): number {
  return value === undefined ? 0 : countTextTokens(JSON.stringify(value));
}
