import type { Message } from '@model-gateway/contract';
import type { RequestSize } from '../../../../calls/admission/bound.ts';
import { createNormalizationGrowth } from '../../../../calls/admission/normalization-growth.ts';
import { numberGrowth } from '../../../body/number-growth.ts';

/** What of a body the most it can cost depends on. `schemaText` is counted once more. */
export type SizeOf = (parts: {
  /** The body, and its bytes. */
  readonly text: string;
  readonly bodyBytes: number;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly schemaText: string | undefined;
  readonly hasTools: boolean;
  /** JSON that the body has within its strings, and that is written anew. */
  readonly innerTexts?: readonly string[];
}) => RequestSize;

/** Measures bodies that have been read; one for all requests. */
export function createSizeOf(): SizeOf {
  const normalizationGrowth = createNormalizationGrowth();
  return ({ text, bodyBytes, messages, maxTokens, schemaText, hasTools, innerTexts }) => {
    let grownBytes = numberGrowth(text) + normalizationGrowth(text, bodyBytes);
    for (const inner of innerTexts ?? []) {
      grownBytes += numberGrowth(inner) + grownLength(inner) - Buffer.byteLength(inner);
    }
    const schemaBytes = schemaText === undefined ? 0 : grownLength(schemaText);
    return { ...imagesOf(messages), bodyBytes, grownBytes, schemaBytes, hasTools, maxTokens };
  };

  function grownLength(text: string): number {
    const bytes = Buffer.byteLength(text);
    return bytes + normalizationGrowth(text, bytes);
  }
}

function imagesOf(messages: readonly Message[]) {
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
  return { images, imageBytes };
}
