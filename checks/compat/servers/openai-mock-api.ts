import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conversation } from '../conversation.ts';
import { packagePath } from '../install.ts';
import type { ForeignServer } from './foreign-server.ts';

const apiKey = 'key-of-openai-mock-api';

/**
 * It checks each field of a request, counts tokens with OpenAI's own tokenizer, and returns `stop`
 * even for a tool call. It answers a request outside its script with 400.
 */
export const openAiMockApi: ForeignServer = {
  name: 'openai-mock-api',
  wires: [
    {
      name: 'chat completions',
      kind: 'openai-compatible',
      basePath: '/v1',
      upstreamModel: 'their-model',
    },
  ],
  apiKey,
  refusalCode: 'BAD_REQUEST',
  command({ folder, port }) {
    const script = join(folder, 'responses.json');
    const logFile = join(folder, 'openai-mock-api.log');
    // It reads YAML, and JSON is valid YAML.
    writeFileSync(script, JSON.stringify({ apiKey, responses }));
    const cli = packagePath('openai-mock-api/dist/cli.js');
    const argv = [cli, '--port', String(port), '--config', script, '--log-file', logFile];
    return { argv, logFile };
  },
};

const { chat, object, agent } = conversation;

const toolCall = {
  role: 'assistant',
  tool_calls: [
    {
      id: agent.toolCallId,
      type: 'function',
      function: { name: agent.toolName, arguments: JSON.stringify(agent.toolInput) },
    },
  ],
};

const responses = [
  flow('chat', [user(chat.prompt), assistant(chat.answer)]),
  flow('object', [user(object.prompt), assistant(JSON.stringify(object.answer))]),
  flow('first turn', [user(agent.prompt), toolCall]),
  flow('second turn', [
    user(agent.prompt),
    toolCall,
    { role: 'tool', tool_call_id: agent.toolCallId, content: agent.toolResult },
    assistant(agent.answer),
  ]),
];

function flow(id: string, messages: readonly object[]) {
  return { id, messages };
}

function user(content: string) {
  return { role: 'user', content };
}

function assistant(content: string) {
  return { role: 'assistant', content };
}
