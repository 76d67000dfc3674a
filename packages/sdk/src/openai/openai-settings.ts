import { createAbortHub } from '../call/abort-hub.ts';
import { type ClientOptions, checkClientOptions } from '../call/options.ts';
import { machineTime, type Runtime } from '../call/runtime.ts';
import { createRedactor } from '../lib/redact.ts';
import { createOpenAiFetch } from './openai-fetch.ts';

/** What clients of OpenAI's API are made with. */
export interface OpenAiSettings {
  /** Where the gateway has OpenAI's API: your `baseUrl`, with `/openai/v1` for its `/v1`. */
  readonly baseURL: string;
  /** No key, but what stands for one: `fetch` alone has the app's, and puts it in its place. */
  readonly apiKey: string;
  /** Asks nothing outside `baseURL`. It rejects for your signal; all else is an answer. */
  readonly fetch: typeof globalThis.fetch;
}

/** Makes settings; the clocks and random numbers that it is not given are the machine's. */
export function createSettingsWith(
  given: Partial<Runtime> & Pick<Runtime, 'uuid'>,
  options: ClientOptions,
): OpenAiSettings {
  const runtime = { ...machineTime(), ...given };
  const checked = checkClientOptions(options);
  const baseURL = checked.baseUrl.replace(/(\/openai)?\/v1$/, '/openai/v1');
  const settings = { ...checked, baseUrl: baseURL };
  const redactor = createRedactor(settings.apiKey);
  const fetch = createOpenAiFetch({ runtime, settings, hub: createAbortHub(), redactor });
  return { baseURL, apiKey: 'the-fetch-has-it', fetch };
}
