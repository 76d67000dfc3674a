import { benchModel, outputTokensMax } from './side.ts';

/** A call as model platforms take it, and as other gateways do. */
export function completionBody(prompt: string): string {
  return JSON.stringify({
    model: benchModel,
    max_tokens: outputTokensMax,
    messages: [{ role: 'user', content: prompt }],
  });
}
