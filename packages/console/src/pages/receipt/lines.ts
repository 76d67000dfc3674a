import type { Receipt, ReceiptLine } from '@model-gateway/server/operations/documents';
import { exactUsd } from '../../text/money.ts';

const kinds: Readonly<Record<ReceiptLine['kind'], string>> = {
  input: 'Input',
  cachedInput: 'Cached input',
  cacheWriteInput: 'Cache write',
  cacheWrite1hInput: '1-hour cache write',
  output: 'Output',
  imageInput: 'Image input',
  audioInput: 'Audio input',
  reasoning: 'Reasoning',
  imageOutput: 'Image output',
  audioOutput: 'Audio output',
  request: 'Request',
  toolUse: 'Tool use',
  estimate: 'Estimate',
  corrected: 'Correction',
  other: 'Other',
};

export function partText({ kind, tool }: ReceiptLine): string {
  return tool === undefined ? kinds[kind] : `${kinds[kind]}: ${tool}`;
}

/** Next to the part's name: its attempt, if there were several; the reasoning in an output. */
export function partNote({ call, lines }: Receipt, { kind, attempt }: ReceiptLine) {
  const parts = [];
  if (lines.some((line) => line.attempt !== null && line.attempt !== attempt))
    parts.push(attempt === null ? 'no attempt' : `attempt ${attempt}`);
  const hasOwn = lines.some((line) => line.kind === 'reasoning');
  const isOnly = lines.filter((line) => line.kind === 'output').length === 1;
  const reasoning = call.state === 'finished' ? call.usage.reasoningTokens : 0;
  if (kind === 'output' && reasoning > 0 && !hasOwn && isOnly)
    parts.push(`including ${reasoning.toLocaleString('en')} reasoning`);
  return parts.join(', ');
}

/** Tokens, requests or uses; undefined for an amount without a price per unit. */
export function quantityOf({ tokens, count }: ReceiptLine): number | undefined {
  return count ?? tokens ?? undefined;
}

/** `$0.05 / 1M`, `$0.01 each` */
export function priceText({ usdPerMillion, usdEach }: ReceiptLine): string | undefined {
  if (usdEach !== undefined) return `${exactUsd(usdEach)} each`;
  return usdPerMillion === null ? undefined : `${exactUsd(usdPerMillion)} / 1M`;
}

export function keyOfLine({ attempt, kind, tool }: ReceiptLine): string {
  return `${attempt} ${kind} ${tool}`;
}
