import type { Message } from '@model-gateway/contract';
import { createNormalizationGrowth } from '../../../../calls/admission/normalization-growth.ts';
import type { RequestSize } from '../../../../calls/model/candidate.ts';
import { endOfNumber, endOfString } from '../../../../lib/json-text.ts';

export type SizeOf = (parts: {
  readonly text: string;
  readonly bodyBytes: number;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly schemaText: string | undefined;
  readonly hasTools: boolean;
  readonly innerTexts?: readonly string[];
}) => RequestSize;

export function createSizeOf(): SizeOf {
  const normalizationGrowth = createNormalizationGrowth();
  return ({ text, bodyBytes, messages, maxTokens, schemaText, hasTools, innerTexts }) => {
    const shown = imagesOf(messages);
    let grownBytes = numberGrowth(text) + normalizationGrowth(text, bodyBytes);
    for (const inner of innerTexts ?? []) {
      grownBytes += numberGrowth(inner) + grownLength(inner) - Buffer.byteLength(inner);
    }
    const schemaBytes = schemaText === undefined ? 0 : grownLength(schemaText);
    return { ...shown, bodyBytes, grownBytes, schemaBytes, hasTools, maxTokens };
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

/**
 * Rewriting turns `1e20` into `100000000000000000000`. So the received bytes of tool inputs and
 * schemas need this addition to limit tokens. Numbers without exponents never grow. One pass
 * without rescans: callers choose the digits.
 */
export function numberGrowth(text: string): number {
  // This search is faster than the walk for short texts. The walk skips strings, which long texts
  // have.
  if (text.length < longCharacters && !/\d[eE][+-]?\d/.test(text)) return 0;
  let growth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === quote) at = endOfString(text, at) - 1;
    else {
      const end = endOfNumber(text, at);
      if (end === at) continue;
      growth += growthOf(text.slice(at, end));
      at = end - 1;
    }
  }
  return growth;
}

const longCharacters = 1_048_576;
const quote = 0x22;

function growthOf(number: string): number {
  return /[eE]/.test(number) ? Math.max(0, String(Number(number)).length - number.length) : 0;
}
