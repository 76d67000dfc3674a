import { createUndiciTransport } from '../../../src/platforms/http/undici-transport.ts';
import type { Platform } from '../../../src/platforms/model/port.ts';
import { createRedact } from '../../../src/platforms/redaction/redact.ts';
import { createAnthropicMessages } from '../../../src/platforms/wires/anthropic-messages/anthropic-messages.ts';
import { messageEvents } from './stream-events.ts';
import type { AnswerParts, SurfaceSubject } from './surface-subject.ts';
import { testApiKey, testContext } from './try-platform.ts';

/** Anthropic's messages. Source: Anthropic's API reference, "Messages". */
export const messagesSubject: SurfaceSubject = {
  name: 'anthropic-messages',
  platformAt,
  modelsOf: createAnthropicMessages,
  events: messageEvents,
  answer: anthropicMessage,
  finishWords: {
    stop: 'end_turn',
    length: 'max_tokens',
    'content-filter': 'refusal',
    'tool-calls': 'tool_use',
  },
  least: { fields: { content: [{ type: 'text', text: 'hi' }] }, finish: 'other' },
  broken: {
    'no content and no reason': { content: null, stop_reason: null },
    'content that is a number, and no reason': { content: 7, stop_reason: null },
  },
  hasStop: true,
  inputOf: (text) => JSON.stringify(jsonOr(text)),
  thought: {
    content: [{ type: 'reasoning', text: 'Well.' }],
    carried: { wire: 'anthropic-messages', message: { thinking_blocks: [thinking()] }, calls: [] },
  },
};

/** A platform with only this surface. */
function platformAt(url: string): Platform {
  const transport = createUndiciTransport({ baseUrl: url });
  const model = createAnthropicMessages({
    context: testContext,
    send: transport.send,
    path: '/v1/messages',
    headers: { 'x-api-key': testApiKey },
    projectHeader: undefined,
    redact: createRedact([testApiKey]),
  });
  return {
    name: 'local',
    kind: 'anthropic',
    needsProject: false,
    projects: undefined,
    model: (row) => model(row.upstreamModel),
    close: transport.close,
  };
}

function thinking() {
  return { type: 'thinking', thinking: 'Well.', signature: 'c2lnbmVk' };
}

function anthropicMessage({ text, toolCalls = [], finish = 'stop', usage, extra }: AnswerParts) {
  const content = text ?? (toolCalls.length > 0 ? '' : 'Hello there.');
  return {
    id: 'msg_123',
    type: 'message',
    role: 'assistant',
    model: 'test-model-20260101',
    content: [
      thinking(),
      ...(content === '' ? [] : [{ type: 'text', text: content, citations: null }]),
      ...toolCalls.map((call, index) => ({
        ...{ type: 'tool_use', id: `call_${index}`, name: call.name },
        input: jsonOr(call.arguments),
      })),
    ],
    stop_reason: messagesSubject.finishWords[finish],
    stop_sequence: null,
    usage:
      usage === undefined
        ? documentedUsage
        : { input_tokens: usage.input, output_tokens: usage.output },
    ...extra,
  };
}

const documentedUsage = {
  input_tokens: 15,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: 4,
  output_tokens: 10,
  output_tokens_details: { thinking_tokens: 3 },
  service_tier: 'standard',
};

/** The wire format has a value where a model writes text; text that is not JSON is unchanged. */
function jsonOr(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}
