import type { AgentRunRequest } from '../src/index.ts';
import { isRecord } from '../src/lib/is-record.ts';
import { answer, type SeenAttempt, type Step } from './scripted-fetch.ts';

/** A scripted turn of the model. */
export interface ScriptedTurn {
  readonly calls?: readonly { readonly name: string; readonly input?: unknown }[];
  readonly text?: string;
  readonly usd?: string | null;
}

let turns = 0;

/** The gateway's response to one turn: tool calls, or the end. */
export function turn({ calls = [], text, usd = '0.001' }: ScriptedTurn): Step {
  turns += 1;
  const toolCalls = calls.map(({ name, input = {} }, index) => ({
    id: `call-${index + 1}`,
    name,
    input,
  }));
  const done = toolCalls.length === 0;
  return answer(200, {
    id: `turn-${turns}`,
    model: 'my-model',
    requestId: 'platform-1',
    done,
    ...(text === undefined ? {} : { text }),
    toolCalls,
    message: {
      role: 'assistant',
      ...(text === undefined ? {} : { content: text }),
      ...(done ? {} : { toolCalls }),
    },
    usage: {
      inputTokens: 10,
      cachedInputTokens: 4,
      cacheWriteInputTokens: 3,
      outputTokens: 2,
      reasoningTokens: 1,
    },
    cost: { usd, estimated: false },
  });
}

/** A request without tools, which tests add. */
export const runRequest: Omit<AgentRunRequest, 'tools'> = {
  model: 'my-model',
  maxTokens: 100,
  messages: [{ role: 'user', content: 'What is the weather?' }],
};

export function bodyOf(seen: SeenAttempt | undefined): Readonly<Record<string, unknown>> {
  const body: unknown = JSON.parse(seen?.body ?? 'null');
  if (!isRecord(body)) throw new Error('the attempt has no body');
  return body;
}

export function messagesOf(seen: SeenAttempt | undefined): readonly unknown[] {
  const { messages } = bodyOf(seen);
  if (!Array.isArray(messages)) throw new Error('the attempt has no messages');
  return messages;
}
