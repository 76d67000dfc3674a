import type { Statement } from './statement.ts';
import { vendors } from './vendors.ts';

export interface UsagePathLine extends Statement {
  /** In a response or an event; a number is an item of a list. */
  readonly path: string;
}

export const usagePathLines: readonly UsagePathLine[] = [
  { path: 'usage', ...vendors.chat },
  { path: 'choices.0.usage', ...vendors.moonshot },
  { path: 'x_groq.usage', vendor: 'Groq', source: 'vercel/ai#1651' },
  { path: 'message.usage', ...vendors.anthropic },
  { path: 'usageMetadata', ...vendors.gemini },
  { path: 'usage_metadata', ...vendors.gemini },
  { path: 'meta.billed_units', ...vendors.cohere },
];
