import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import type { Part, ToolChoice } from '@model-gateway/contract';
import { interleave } from '../model/carry.ts';
import type { JsonFormat, ModelMessage, ModelRequest, ModelTool } from '../model/model-request.ts';
import { callOptionsIn, type ReasoningOf } from './reasoning-parts.ts';

type ModelAssistantMessage = Parameters<ReasoningOf>[0];

export function callOptionsOf(
  request: ModelRequest,
  reasoningOf: ReasoningOf,
): LanguageModelV4CallOptions {
  const { messages, maxTokens, stop, json, tools, toolChoice } = request;
  return {
    prompt: promptOf(messages, reasoningOf),
    maxOutputTokens: maxTokens,
    ...settingsOf(request),
    ...(stop !== undefined && { stopSequences: [...stop] }),
    ...(json !== undefined && formatOf(json)),
    ...(tools !== undefined && { tools: tools.map(toolOf) }),
    ...(toolChoice !== undefined && { toolChoice: choiceOf(toolChoice) }),
  };
}

function settingsOf(request: ModelRequest) {
  const { temperature, topP, frequencyPenalty, presencePenalty, seed, reasoning } = request;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(seed !== undefined && { seed }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function formatOf({ schema, name, description, isStrict }: JsonFormat) {
  const options = { strictJsonSchema: isStrict ?? true };
  return {
    responseFormat: {
      type: 'json' as const,
      ...(schema !== undefined && { schema }),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    },
    ...(isStrict !== undefined && {
      providerOptions: { openaiCompatible: options, openai: options },
    }),
  };
}

function toolOf({ strict, ...tool }: ModelTool) {
  return { type: 'function' as const, ...tool, ...(strict !== undefined && { strict }) };
}

function choiceOf(choice: ToolChoice) {
  if (typeof choice === 'string') return { type: choice };
  return { type: 'tool', toolName: choice.name } as const;
}

function promptOf(
  messages: readonly ModelMessage[],
  reasoningOf: ReasoningOf,
): LanguageModelV4Prompt {
  const toolNames = new Map<string, string>();
  return messages.map((message) => encode(message, toolNames, reasoningOf));
}

function encode(
  message: ModelMessage,
  toolNames: Map<string, string>,
  reasoningOf: ReasoningOf,
): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: encodeUser(message.content) };
    case 'assistant':
      return {
        role: 'assistant',
        content: [...interleave(reasoningOf(message), encodeAssistant(message, toolNames))],
      };
    case 'tool': {
      const { toolCallId, content } = message;
      const toolName = toolNames.get(toolCallId) ?? '';
      const output = { type: 'text', value: content } as const;
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
  }
}

function encodeUser(content: string | readonly Part[]) {
  return typeof content === 'string' ? [textPart(content)] : content.map(encodePart);
}

function encodePart(part: Part) {
  if (part.type === 'text') return textPart(part.text);
  const data = { type: 'data', data: part.data } as const;
  return { type: 'file', mediaType: part.mediaType, data } as const;
}

function encodeAssistant(message: ModelAssistantMessage, toolNames: Map<string, string>) {
  const text = message.content === undefined ? [] : [textPart(message.content)];
  const calls = (message.toolCalls ?? []).map(({ id, name, input }, index) => {
    toolNames.set(id, name);
    const options = callOptionsIn(message.carried, index);
    return { type: 'tool-call', toolCallId: id, toolName: name, input, ...options } as const;
  });
  return [...text, ...calls];
}

function textPart(text: string) {
  return { type: 'text', text } as const;
}
