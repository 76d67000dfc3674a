import type {
  AgentAnswer,
  ChatAnswer,
  EmbeddingsAnswer,
  ObjectAnswer,
  ToolCall,
  Usage,
} from '@model-gateway/contract';
import { metaOf } from '../call/call-meta.ts';
import type { LlmError } from '../call/llm-error.ts';
import { asTyped } from '../lib/typed.ts';
import type { AiCarry, AiFinishReason, AiMetadata, AiResult, AiUsage } from './ai-types.ts';

/** The response of any of the gateway's routes. */
export type AnyAnswer = ChatAnswer | ObjectAnswer<unknown> | AgentAnswer;

/** A response's text, its object as JSON, and its tool calls. */
export function contentOf(answer: AnyAnswer): { text: string; calls: readonly ToolCall[] } {
  if ('object' in answer) return { text: JSON.stringify(answer.object), calls: [] };
  const calls = 'toolCalls' in answer ? answer.toolCalls : [];
  return { text: answer.text ?? '', calls };
}

/** The part of a response that the model needs back; usually none. It has no text to show. */
export function carryOf(answer: AnyAnswer): readonly [] | readonly [AiCarry] {
  const carry = 'message' in answer ? answer.message.carry : 'carry' in answer && answer.carry;
  return carry ? [asTyped<AiCarry>({ modelGateway: { carry } })] : [];
}

/** A tool call, with its input as JSON. */
export function writeCall({ id, name, input }: ToolCall) {
  const type = 'tool-call' as const;
  return { type, toolCallId: id, toolName: name, input: JSON.stringify(input) };
}

/** The part that whole and streamed responses share. */
export function endOf(answer: AnyAnswer): {
  usage: AiUsage;
  finishReason: AiFinishReason;
  providerMetadata: { modelGateway: AiMetadata };
} {
  return {
    usage: writeUsage(answer.usage),
    finishReason: finishOf(answer),
    providerMetadata: { modelGateway: metadataOf(answer) },
  };
}

/** A whole response, without the warnings. */
export function readAnswer(answer: AnyAnswer): Omit<AiResult, 'warnings'> {
  const { text, calls } = contentOf(answer);
  const texts = text === '' ? [] : [{ type: 'text' as const, text }];
  const { id, model: modelId } = answer;
  const headers = { ...metaOf(answer).headers };
  const carries = carryOf(answer).map((providerMetadata) => {
    return { type: 'reasoning' as const, text: '', providerMetadata };
  });
  const content = [...carries, ...texts, ...calls.map(writeCall)];
  return { content, ...endOf(answer), response: { id, modelId, headers } };
}

/** The same for a response that reached its token limit, from its error. */
export function endOfCut(error: LlmError): Partial<ReturnType<typeof endOf>> & {
  usage: AiUsage;
  finishReason: AiFinishReason;
} {
  const { usage, cost, requestId = null, gatewayRequestId = null } = error;
  const costUsd = error.costUsd ?? cost?.usd;
  const finishReason = { unified: 'length' as const, raw: error.code };
  const end = { usage: writeUsage(usage), finishReason };
  if (costUsd === undefined) return end;
  const ids = { callId: null, requestId, gatewayRequestId, replayed: false };
  const modelGateway = { costUsd, estimated: cost?.estimated ?? false, ...ids };
  return { ...end, providerMetadata: { modelGateway } };
}

/** Tokens in the AI SDK's format; `undefined` for unreported ones. */
function writeUsage(usage: Usage | undefined): AiUsage {
  const { inputTokens: input, cachedInputTokens: cacheRead } = usage ?? {};
  const { cacheWriteInputTokens: cacheWrite, outputTokens: output } = usage ?? {};
  const { reasoningTokens: reasoning } = usage ?? {};
  const noCache = input && input - (cacheRead ?? 0) - (cacheWrite ?? 0);
  const text = output && output - (reasoning ?? 0);
  return {
    inputTokens: { total: input, noCache, cacheRead, cacheWrite },
    outputTokens: { total: output, text, reasoning },
  };
}

function finishOf(answer: AnyAnswer): AiFinishReason {
  if ('toolCalls' in answer && !answer.done) return { unified: 'tool-calls', raw: 'tool-calls' };
  const raw = 'finishReason' in answer ? answer.finishReason : 'stop';
  return { unified: raw === 'stop-sequence' ? 'stop' : raw, raw };
}

/** The metadata of a response. */
export function metadataOf(answer: AnyAnswer | EmbeddingsAnswer): AiMetadata {
  const { gatewayRequestId = null, replayed, costUsd } = metaOf(answer);
  const { id: callId, requestId, cost } = answer;
  const whole = costUsd === undefined ? cost.usd : costUsd;
  const { estimated } = cost;
  return { costUsd: whole, estimated, callId, requestId, gatewayRequestId, replayed };
}
