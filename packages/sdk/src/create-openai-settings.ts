import type { ClientOptions } from './call/options.ts';
import { systemRuntime } from './call/runtime-system.ts';
import { createSettingsWith, type OpenAiSettings } from './openai/openai-settings.ts';

/**
 * Settings for any client of OpenAI's API that accepts a `baseURL` and a `fetch`: the gateway must
 * have `ingress.openai` on. Each call has one idempotency key, one time limit and this client's
 * retries; its response must not be retried.
 * @throws TypeError for a bad option, with the correction.
 * @example
 * const settings = createOpenAiSettings({ baseUrl: 'https://gateway.example.com/v1', apiKey });
 * const openai = new OpenAI(settings);
 */
export function createOpenAiSettings(options: ClientOptions): OpenAiSettings {
  return createSettingsWith(systemRuntime(), options);
}
