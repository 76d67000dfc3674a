export { createOpenAiSettings } from './create-openai-settings.ts';
export type { OpenAiSettings } from './openai/openai-settings.ts';
