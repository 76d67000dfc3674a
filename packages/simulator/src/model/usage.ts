import type { ModelMessage, ModelRequest, ToolCallText } from './model-request.ts';

export interface TokenCounts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  /** The part of cache writes stored for an hour; absent for none. */
  readonly cacheWrite1hInputTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** In tokens unless they name bytes. See the README. */
export const countingRule = {
  bytesPerToken: 4,
  perRequest: 16,
  perMessage: 4,
  perImage: 1_000,
  perFile: 20_000,
  perToolCall: 4,
  perTool: 8,
  perSchema: 8,
  /** Input never counts above the body's bytes and these tokens, except for files. */
  aboveBodyBytesMax: 1_024,
} as const;

/** UTF-8 bytes divided by four, rounded up. */
export function countTextTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / countingRule.bytesPerToken);
}

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
 * For a tokenizer that normalizes before it splits, with a token per byte of the longer composed
 * form: the maximum.
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

/** Without reasoning. */
export function countOutputTokens(text: string, toolCalls: readonly ToolCallText[]): number {
  let tokens = countTextTokens(text);
  for (const toolCall of toolCalls) tokens += countToolCallTokens(toolCall);
  return tokens;
}

/** The same for output and for history in a request. */
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
