import type { ToolCallText } from './model-request.ts';
import type { Answer, FinishReason, ModelCall } from './outcome.ts';
import {
  countingRule,
  countOutputTokens,
  countTextTokens,
  countToolCallTokens,
  type TokenCounts,
} from './usage.ts';

export interface Produced {
  readonly text: string;
  readonly toolCalls: readonly ToolCallText[];
  readonly finish: FinishReason;
  readonly stopSequence: string | undefined;
  readonly usage: TokenCounts;
}

export function produce(call: ModelCall, answer: Answer): Produced {
  const reasoningTokens = Math.min(answer.reasoningTokens ?? 0, call.outputTokensMax);
  const visibleTokensMax = call.outputTokensMax - reasoningTokens;
  const whole = stopped(answer, call.request.stop);
  const tokens = countOutputTokens(whole.text, whole.toolCalls);
  const isCut = tokens > visibleTokensMax;
  const visible = isCut ? cut(whole, visibleTokensMax) : whole;
  return {
    text: visible.text,
    toolCalls: visible.toolCalls,
    finish: isCut ? 'length' : whole.finish,
    stopSequence: isCut ? undefined : whole.stopSequence,
    usage: {
      inputTokens: call.inputTokens,
      cachedInputTokens: 0,
      cacheWriteInputTokens: 0,
      // A truncated response has used up its maximum: the rest was still being written.
      outputTokens: reasoningTokens + (isCut ? visibleTokensMax : tokens),
      reasoningTokens,
      ...answer.usage,
    },
  };
}

type Content = Omit<Produced, 'usage'>;

function stopped(answer: Answer, stop: readonly string[]): Content {
  const text = answer.text ?? '';
  const toolCalls = answer.toolCalls ?? [];
  const finish = answer.finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop');
  let end = text.length;
  let stopSequence: string | undefined;
  for (const sequence of stop) {
    const index = sequence === '' ? -1 : text.indexOf(sequence);
    if (index === -1 || index >= end) continue;
    end = index;
    stopSequence = sequence;
  }
  if (stopSequence === undefined) return { text, toolCalls, finish, stopSequence };
  return { text: text.slice(0, end), toolCalls: [], finish: 'stop-sequence', stopSequence };
}

function cut(whole: Content, tokensMax: number): Content {
  const text = cutText(whole.text, tokensMax);
  let tokensLeft = tokensMax - countTextTokens(text);
  const toolCalls: ToolCallText[] = [];
  for (const toolCall of whole.toolCalls) {
    const startTokens = countToolCallTokens({ ...toolCall, arguments: '' });
    if (startTokens > tokensLeft) break;
    const cutCall = {
      ...toolCall,
      arguments: cutText(toolCall.arguments, tokensLeft - startTokens),
    };
    toolCalls.push(cutCall);
    tokensLeft -= countToolCallTokens(cutCall);
  }
  return { text, toolCalls, finish: 'length', stopSequence: undefined };
}

/** Never splits a character. */
function cutText(text: string, tokensMax: number): string {
  const bytesMax = tokensMax * countingRule.bytesPerToken;
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
