export type Wire = 'openai-chat' | 'openai-responses' | 'anthropic-messages';
