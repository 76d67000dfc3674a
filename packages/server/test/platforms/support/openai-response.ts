import { createUndiciTransport } from '../../../src/platforms/http/undici-transport.ts';
import type { Platform } from '../../../src/platforms/model/port.ts';
import { createRedact } from '../../../src/platforms/redaction/redact.ts';
import { createOpenAiResponses } from '../../../src/platforms/wires/openai-responses/openai-responses.ts';
import { responseEvents } from './stream-events.ts';
import type { AnswerParts, SurfaceSubject } from './surface-subject.ts';
import { testApiKey, testContext } from './try-platform.ts';

const message = (content: readonly unknown[]) => ({ type: 'message', role: 'assistant', content });

/** OpenAI's responses. Source: OpenAI's API reference, "The response object". */
export const responsesSubject: SurfaceSubject = {
  name: 'openai-responses',
  platformAt,
  modelsOf: createOpenAiResponses,
  events: responseEvents,
  answer: openAiResponse,
  finishWords: {
    stop: 'completed',
    length: 'max_output_tokens',
    'content-filter': 'content_filter',
    'tool-calls': 'completed',
  },
  least: {
    fields: { output: [message([{ type: 'output_text', text: 'hi' }])] },
    finish: 'stop',
  },
  broken: {
    'no output': { output: null },
    'an output that is a number': { output: 7 },
    'a failure': { status: 'failed', error: { code: 'server_error', message: 'failed' } },
    'an error beside its output': { error: { code: 'server_error', message: 'failed' } },
    'a status that says that it goes on': { status: 'in_progress' },
  },
  hasStop: false,
};

/** A platform with only this surface. */
function platformAt(url: string): Platform {
  const transport = createUndiciTransport({ baseUrl: `${url}/v1` });
  const model = createOpenAiResponses({
    context: testContext,
    send: transport.send,
    path: '/responses',
    headers: { authorization: `Bearer ${testApiKey}` },
    projectHeader: undefined,
    redact: createRedact([testApiKey]),
  });
  return {
    name: 'local',
    kind: 'openai',
    needsProject: false,
    projects: undefined,
    model: (row) => model(row.upstreamModel),
    close: transport.close,
  };
}

function openAiResponse({ text, toolCalls = [], finish = 'stop', usage, extra }: AnswerParts) {
  const isWhole = finish === 'stop' || finish === 'tool-calls';
  const status = isWhole ? 'completed' : 'incomplete';
  const content = text ?? (toolCalls.length > 0 ? undefined : 'Hello there.');
  const part = { type: 'output_text', text: content, annotations: [], logprobs: [] };
  const messages = content === undefined ? [] : [{ id: 'msg_1', status, ...message([part]) }];
  const calls = toolCalls.map((call, index) => ({
    ...{ type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, status },
    ...call,
  }));
  return {
    id: 'resp_123',
    object: 'response',
    created_at: 1_741_476_542,
    status,
    error: null,
    incomplete_details: isWhole ? null : { reason: responsesSubject.finishWords[finish] },
    model: 'test-model',
    output: [{ id: 'rs_1', type: 'reasoning', summary: [] }, ...messages, ...calls],
    previous_response_id: null,
    store: false,
    usage:
      usage === undefined
        ? documentedUsage
        : { input_tokens: usage.input, output_tokens: usage.output },
    ...extra,
  };
}

const documentedUsage = {
  input_tokens: 19,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 29,
};
