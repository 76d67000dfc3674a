import { fieldOf, isRecord } from '../../lib/json-value.ts';

/** Hears what a message, or a piece of it, says. */
export type Say = (type: SaidType, text: string) => void;

/** A refusal is text that says so. */
export type SaidType = 'text' | 'reasoning' | 'refusal';

/**
 * Reads what a message or a delta says beside its calls. What has another shape is passed over: a
 * new kind of part must not spoil a response.
 */
export function readContent(said: Readonly<Record<string, unknown>>, say: Say): void {
  const { reasoning_content: one, reasoning: other, content, refusal } = said;
  // Servers differ in its name.
  const thought = typeof one === 'string' ? one : other;
  if (typeof thought === 'string' && thought !== '') say('reasoning', thought);
  if (typeof content === 'string') {
    if (content !== '') say('text', content);
  } else if (Array.isArray(content)) {
    for (const part of content) readPart(part, say);
  } else if (isRecord(content)) readPart(content, say);
  // Some servers write `false` for none.
  if (typeof refusal === 'string' && refusal !== '') say('refusal', refusal);
}

function readPart(part: unknown, say: Say) {
  // Some servers leave out the type.
  const text =
    typeof part === 'string' ? part : textOf(isRecord(part) ? { type: 'text', ...part } : part);
  if (text !== '') say('text', text);
  if (!isRecord(part)) return;
  const { type, refusal, thinking } = part;
  if (type === 'refusal' && typeof refusal === 'string' && refusal !== '') say('refusal', refusal);
  if (type !== 'thinking' || !Array.isArray(thinking)) return;
  const thought = thinking.map(textOf).join('');
  if (thought !== '') say('reasoning', thought);
}

/** The text of a part that is one. */
function textOf(part: unknown): string {
  const [type, text] = [fieldOf(part, 'type'), fieldOf(part, 'text')];
  const isText = type === 'text' || type === 'output_text';
  return isText && typeof text === 'string' ? text : '';
}
