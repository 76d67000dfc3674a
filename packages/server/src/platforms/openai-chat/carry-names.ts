import { type CarryName, chatCarryNames } from '../../domain/carry.ts';

/**
 * What vendors take back of the messages of their models, by the host of their API. Others, and
 * servers of one's own, take every name. Sources: DeepSeek, "Thinking Mode"; Moonshot, "Use
 * Thinking Models"; Z.AI, "Thinking Mode"; Google, "Thought signatures"; OpenRouter, "Reasoning
 * tokens"; the API references of Groq, Cerebras and Mistral, which reject names that they do not
 * know.
 */
const vendors: readonly (readonly [RegExp, readonly CarryName[]])[] = [
  [/(?:^|\.)(?:deepseek\.com|moonshot\.(?:ai|cn)|z\.ai|bigmodel\.cn)$/, ['reasoning_content']],
  // Vertex AI serves models of other makers, too.
  [/^generativelanguage\.googleapis\.com$/, ['extra_content']],
  [/(?:^|\.)openrouter\.ai$/, ['reasoning', 'reasoning_details']],
  [/(?:^|\.)(?:groq\.com|cerebras\.ai)$/, ['reasoning']],
  [/(?:^|\.)mistral\.ai$/, []],
];

/** The names at a base URL. */
export function carryNamesAt(baseUrl: string): readonly CarryName[] {
  const { hostname } = new URL(baseUrl);
  return vendors.find(([host]) => host.test(hostname))?.[1] ?? chatCarryNames;
}
