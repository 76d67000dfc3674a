import type { ChatAnswer, ChatRequest } from '@model-gateway/contract';
import { LlmError } from '../src/call/llm-error.ts';
import type { CallOptions, ClientOptions } from '../src/call/options.ts';
import { type Client, createClientWith } from '../src/client/client.ts';
import { type ScriptedFetch, type Step, scriptFetch } from './scripted-fetch.ts';
import { createVirtualRuntime, type Settled, type VirtualRuntime } from './virtual-runtime.ts';

export const apiKey = 'mgk_abc_0123456789secret';
export const chatRequest: ChatRequest = {
  model: 'my-model',
  maxTokens: 100,
  messages: [{ role: 'user', content: 'Hello — wörld' }],
};
export const chatAnswer: ChatAnswer = {
  id: 'call-1',
  model: 'my-model',
  requestId: 'platform-1',
  text: 'Hi',
  finishReason: 'stop',
  usage: {
    inputTokens: 3,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 1,
    reasoningTokens: 0,
  },
  cost: { usd: '0.000183', estimated: false },
};

export interface Scripted {
  readonly client: Client;
  readonly runtime: VirtualRuntime;
  readonly script: ScriptedFetch;
  /** One chat call, with the clock run until it has settled. */
  chat(options?: CallOptions): Promise<Settled<ChatAnswer>>;
  /** The same for a call that must fail with an LlmError. */
  failingChat(options?: CallOptions): Promise<LlmError>;
}

/** A client on a virtual clock with a scripted server. */
export function openScripted(
  steps: readonly Step[] | ((runtime: VirtualRuntime) => readonly Step[]),
  { options = {}, random }: { options?: Partial<ClientOptions>; random?: () => number } = {},
): Scripted {
  const runtime = createVirtualRuntime(random);
  const script = scriptFetch(runtime, typeof steps === 'function' ? steps(runtime) : steps);
  const client = createClientWith(runtime, {
    baseUrl: 'https://gateway.test/v1',
    apiKey,
    fetch: script.fetch,
    ...options,
  });
  const chat = (callOptions?: CallOptions) => runtime.settle(client.chat(chatRequest, callOptions));
  const failingChat = async (callOptions?: CallOptions) => failure(await chat(callOptions));
  return { client, runtime, script, chat, failingChat };
}

/** The LlmError of a settled call; anything else fails the test. */
export function failure(settled: Settled<unknown>): LlmError {
  if (settled.kind === 'error' && settled.error instanceof LlmError) return settled.error;
  throw new Error('the call did not fail with an LlmError', { cause: settled });
}
