/** The protocol of a model's surface. */
export type Wire = 'openai-chat' | 'openai-responses' | 'anthropic-messages';
