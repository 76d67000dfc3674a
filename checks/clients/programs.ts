import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { pythons } from './install.ts';

/** A client, and the program that runs the scenarios with it. */
export interface Client {
  readonly name: string;
  readonly command: readonly string[];
  /** The number of its requests for one call that is rejected with 429 and `retry-after`. */
  readonly triesWhenThrottled: number;
  /** The app of its key. */
  readonly app: string;
}

type Environment = keyof typeof pythons;

/** Libraries, some of whose streams end early. */
const libraries = [
  npm('openai-7', ['openai.js', 'openai']),
  npm('openai-6', ['openai.js', 'openai-6']),
  npm('openai-7-responses', ['openai-responses.js', 'openai']),
  npm('anthropic-1', ['anthropic.js']),
  npm('ai-7-openai-compatible', ['ai.js', 'ai', '@ai-sdk/openai-compatible']),
  npm('ai-6-openai-compatible', ['ai.js', 'ai-6', 'ai-6-openai-compatible']),
  npm('ai-7-openai', ['ai.js', 'ai', '@ai-sdk/openai']),
  npm('ai-7-anthropic', ['ai.js', 'ai', '@ai-sdk/anthropic']),
  npm('langchain-js', ['langchain.js'], 7),
  npm('instructor-js', ['instructor.js']),
  npm('readme-node', ['readme.js']),
  pypi('readme-python', ['readme.py']),
  pypi('openai-python', ['openai_client.py']),
  pypi('anthropic-python', ['anthropic_client.py']),
  pypi('langchain-python', ['langchain_client.py']),
  pypi('instructor-python', ['instructor_client.py']),
  pypi('openai-3-python', ['openai_client.py'], 'agents'),
  pypi('litellm-python', ['litellm_client.py']),
];

/** Agents and their frameworks. */
const agents = [
  npm('agent-openai', ['agent-openai.js']),
  npm('agent-anthropic', ['agent-anthropic.js']),
  npm('agent-gateway', ['agent-gateway.js']),
  npm('agent-ai', ['agent-ai.js']),
  npm('agent-ai-openai-compatible', ['agent-ai.js', 'chat']),
  npm('agent-ai-anthropic', ['agent-ai.js', 'messages']),
  npm('agent-native', ['agent-native.js']),
  npm('openai-azure', ['openai-azure.js']),
  npm('openai-agents-js-chat', ['openai-agents.js', 'chat']),
  npm('openai-agents-js-responses', ['openai-agents.js', 'responses']),
  pypi('agent-openai-python', ['agent_openai.py']),
  pypi('agent-anthropic-python', ['agent_anthropic.py']),
  pypi('openai-azure-python', ['azure_client.py']),
  pypi('openai-agents-chat', ['openai_agents_client.py', 'chat'], 'agents'),
  pypi('openai-agents-responses', ['openai_agents_client.py', 'responses'], 'agents'),
  pypi('pydantic-ai-chat', ['pydantic_ai_client.py', 'chat'], 'agents'),
  pypi('pydantic-ai-responses', ['pydantic_ai_client.py', 'responses'], 'agents'),
  pypi('pydantic-ai-messages', ['pydantic_ai_client.py', 'messages'], 'agents'),
  pypi('agno-like', ['agno_client.py', 'like']),
  pypi('agno-chat', ['agno_client.py', 'chat']),
  pypi('agno-responses', ['agno_client.py', 'responses']),
  pypi('llama-index', ['llama_index_client.py'], 'clients', 12),
  pypi('crewai', ['crewai_client.py'], 'crewai', 9),
];

export const clients: readonly Client[] = [
  ...libraries.map((client) => ({ ...client, app: 'team' })),
  ...agents.map((client) => ({ ...client, app: 'agents' })),
];

function npm(name: string, [file, ...more]: readonly string[], triesWhenThrottled = 3) {
  return { name, command: [process.execPath, pathOf(`npm/${file}`), ...more], triesWhenThrottled };
}

function pypi(
  name: string,
  [file, ...more]: readonly string[],
  of: Environment = 'clients',
  triesWhenThrottled = 3,
) {
  return { name, command: [pythons[of], pathOf(`python/${file}`), ...more], triesWhenThrottled };
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
