import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conversation, secretWords } from '../conversation.ts';
import { packagePath } from '../install.ts';
import type { ForeignServer } from './foreign-server.ts';

const apiKey = 'key-of-aimock';
const chatModel = 'their-chat-model';
const responsesModel = 'their-responses-model';
const messagesModel = 'their-messages-model';

/**
 * It answers only the calls of its script. It compares the model, the tools and their results, and
 * on chat completions the kind of output; it rejects all else.
 */
export const aimock: ForeignServer = {
  name: '@copilotkit/aimock',
  wires: [
    {
      name: 'chat completions',
      kind: 'openai-compatible',
      basePath: '/v1',
      upstreamModel: chatModel,
    },
    {
      name: 'responses',
      kind: 'openai',
      basePath: '/v1',
      speaks: ['responses'],
      upstreamModel: responsesModel,
    },
    { name: 'messages', kind: 'anthropic', basePath: '', upstreamModel: messagesModel },
  ],
  apiKey,
  refusalCode: 'THROTTLED',
  command({ folder, port }) {
    const script = join(folder, 'fixtures.json');
    writeFileSync(script, JSON.stringify({ fixtures }));
    const cli = packagePath('@copilotkit/aimock/dist/cli.js');
    return {
      argv: [cli, '--port', String(port), '--fixtures', script, '--strict', '--validate-on-load'],
      logFile: join(folder, 'aimock.log'),
      environment: { AIMOCK_API_KEYS: apiKey },
    };
  },
};

const { chat, object, agent, refusal } = conversation;

const fixtures = [
  {
    match: { userMessage: chat.prompt },
    response: { content: chat.answer, usage: counts(11, 5) },
  },
  objectOf({ model: chatModel, responseFormat: 'json_schema' }),
  // On the other two it does not compare the kind of output.
  objectOf({ model: responsesModel }),
  objectOf({ model: messagesModel }),
  {
    match: { userMessage: agent.prompt, toolName: agent.toolName, hasToolResult: false },
    response: {
      toolCalls: [{ id: agent.toolCallId, name: agent.toolName, arguments: agent.toolInput }],
      usage: counts(17, 9),
    },
  },
  {
    match: { toolCallId: agent.toolCallId, toolResultContains: agent.toolResult },
    response: { content: agent.answer, usage: counts(31, 8) },
  },
  {
    match: { userMessage: refusal.prompt },
    response: { error: { message: secretWords, type: 'rate_limit_error' }, status: 429 },
  },
];

function objectOf(match: { readonly model: string; readonly responseFormat?: string }) {
  const content = JSON.stringify(object.answer);
  return {
    match: { ...match, userMessage: object.prompt },
    response: { content, usage: counts(13, 7) },
  };
}

/** By default it counts nothing on responses and messages. */
function counts(input: number, output: number) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
