import { type CarryName, chatCarryNames } from '../../../domain/carry.ts';

/**
 * By API host; others accept every name. Three reject unknown names: tashfeenahmed/freellmapi#1070
 * (Groq), Kilo-Org/kilocode#10375 (Cerebras), charmbracelet/crush#1590 (Mistral).
 */
const vendors: readonly (readonly [RegExp, readonly CarryName[]])[] = [
  [/(?:^|\.)(?:deepseek\.com|moonshot\.(?:ai|cn)|z\.ai|bigmodel\.cn)$/, ['reasoning_content']],
  // Vertex AI serves models of other makers, too.
  [/^generativelanguage\.googleapis\.com$/, ['extra_content']],
  [/(?:^|\.)openrouter\.ai$/, ['reasoning', 'reasoning_details']],
  [/(?:^|\.)(?:groq\.com|cerebras\.ai)$/, ['reasoning']],
  [/(?:^|\.)mistral\.ai$/, []],
];

export function carryNamesAt(baseUrl: string): readonly CarryName[] {
  const { hostname } = new URL(baseUrl);
  return vendors.find(([host]) => host.test(hostname))?.[1] ?? chatCarryNames;
}
