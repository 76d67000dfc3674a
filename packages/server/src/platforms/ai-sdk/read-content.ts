import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { CarriedOutput } from '../../domain/carry.ts';
import { withPosition } from '../model/carry.ts';
import type { ModelContent } from '../model/content.ts';
import { carriedOptions, carriedParts, type ReasoningPart } from './reasoning-parts.ts';

/** Skips sources, files and other kinds. */
export function contentOf({ content }: LanguageModelV4GenerateResult): readonly ModelContent[] {
  const parts: ModelContent[] = [];
  for (const part of content) {
    if (part.type === 'text' || part.type === 'reasoning') {
      parts.push({ type: part.type, text: part.text });
    } else if (part.type === 'tool-call') {
      const { type, toolCallId, toolName, input } = part;
      parts.push({ type, toolCallId, toolName, input });
    }
  }
  return parts;
}

export function carriedIn({ content }: LanguageModelV4GenerateResult): CarriedOutput | undefined {
  const parts: ReasoningPart[] = [];
  for (const [position, part] of content.entries()) {
    if (part.type !== 'reasoning') continue;
    const { text, providerMetadata } = part;
    const reasoning = { text, options: carriedOptions(providerMetadata) };
    parts.push(withPosition(reasoning, position, parts.length));
  }
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? [carriedOptions(part.providerMetadata)] : [],
  );
  return carriedParts(parts, calls);
}
