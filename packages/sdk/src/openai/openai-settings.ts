import { createAbortHub } from '../call/abort-hub.ts';
import { type ClientOptions, checkClientOptions } from '../call/options.ts';
import { machineTime, type Runtime } from '../call/runtime.ts';
import { createRedactor } from '../lib/redact.ts';
import { createOpenAiFetch } from './openai-fetch.ts';

/** The options of a client of OpenAI's API. */
export interface OpenAiSettings {
  /** The URL of OpenAI's API at the gateway: your `baseUrl`, with `/openai/v1` for its `/v1`. */
  readonly baseURL: string;
  /** A placeholder: only `fetch` has the app's key, and inserts it. */
  readonly apiKey: string;
  /**
   * Requests nothing outside `baseURL`. It rejects for your signal; all other errors are responses.
   */
  readonly fetch: typeof globalThis.fetch;
}

/** Creates settings; missing clocks and random numbers are the machine's. */
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
