import type { ClientOptions } from './call/options.ts';
import { systemRuntime } from './call/runtime-system.ts';
import { createSettingsWith, type OpenAiSettings } from './openai/openai-settings.ts';

/**
 * Settings for whatever speaks OpenAI's API and takes a `baseURL` and a `fetch`: the gateway must
 * have `ingress.openai` on. Each call that it makes has one idempotency key, one time limit and the
 * client's retries; what it is answered is to be tried no more.
 * @throws TypeError for a bad option, with the cure.
 * @example
 * const settings = createOpenAiSettings({ baseUrl: 'https://gateway.example.com/v1', apiKey });
 * const openai = new OpenAI(settings);
 */
export function createOpenAiSettings(options: ClientOptions): OpenAiSettings {
  return createSettingsWith(systemRuntime(), options);
}
