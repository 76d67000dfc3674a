import type { ClientOptions } from '../../src/call/options.ts';
import { createSettingsWith, type OpenAiSettings } from '../../src/openai/openai-settings.ts';
import { answer, type ScriptedFetch, type Step, scriptFetch } from '../scripted-fetch.ts';
import { createVirtualRuntime, type VirtualRuntime } from '../virtual-runtime.ts';

export const apiKey = 'mgk_abc_0123456789secret';
/** With spaces that no serializer would produce. */
export const completion = '{ "model": "m",  "messages": [{ "role": "user", "content": "Hi" }] }';
export const completed = { id: 'call-1', choices: [{ message: { content: 'Hi' } }] };
export const chatUrl = 'https://gateway.test/openai/v1/chat/completions';

interface Opened {
  readonly settings: OpenAiSettings;
  readonly runtime: VirtualRuntime;
  readonly script: ScriptedFetch;
  /** One completion, with the clock run until it has a response. */
  complete(headers?: Record<string, string>, init?: RequestInit): Promise<Response>;
}

/** Settings on a virtual clock, with a scripted gateway. */
export function openSettings(steps: readonly Step[], options: Partial<ClientOptions> = {}): Opened {
  const runtime = createVirtualRuntime();
  const script = scriptFetch(runtime, steps);
  const baseUrl = 'https://gateway.test/v1';
  const settings = createSettingsWith(runtime, {
    ...{ baseUrl, apiKey, fetch: script.fetch },
    ...options,
  });
  async function complete(headers: Record<string, string> = {}, init: RequestInit = {}) {
    const sent = { authorization: `Bearer ${settings.apiKey}`, ...json, ...headers };
    const request = { method: 'POST', headers: sent, body: completion, ...init };
    const settled = await runtime.settle(settings.fetch(chatUrl, request));
    if (settled.kind === 'error') throw settled.error;
    return settled.answer;
  }
  return { settings, runtime, script, complete };
}

const json = { 'content-type': 'application/json' };

/** An error of the gateway in OpenAI's format. */
export function refused(status: number, code: string, headers: Record<string, string> = {}): Step {
  const error = { message: `it is ${code}`, type: 'server_error', param: null, code };
  return answer(status, { error }, { 'x-error-code': code, ...headers });
}

/** The key of each attempt. */
export function keysOf({ seen }: ScriptedFetch): (string | undefined)[] {
  return seen.map(({ headers }) => headers['idempotency-key']);
}
