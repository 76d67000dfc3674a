import type { Message } from '@model-gateway/contract';
import type { RequestSize } from '../../admission/bound.ts';
import { numberGrowth } from './number-growth.ts';

/** What of a body the most it can cost depends on. `schemaText` is counted once more. */
export function sizeOf(parts: {
  /** The body, and its bytes. */
  readonly text: string;
  readonly bodyBytes: number;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly schemaText: string | undefined;
  readonly hasTools: boolean;
}): RequestSize {
  const { text, bodyBytes, messages, maxTokens, schemaText, hasTools } = parts;
  let images = 0;
  let imageBytes = 0;
  for (const message of messages) {
    if (message.role !== 'user' || typeof message.content === 'string') continue;
    for (const part of message.content) {
      if (part.type !== 'image') continue;
      images += 1;
      imageBytes += part.data.length;
    }
  }
  const schemaBytes = schemaText === undefined ? 0 : Buffer.byteLength(schemaText);
  const grownBytes = numberGrowth(text);
  return { bodyBytes, grownBytes, imageBytes, images, schemaBytes, hasTools, maxTokens };
}
