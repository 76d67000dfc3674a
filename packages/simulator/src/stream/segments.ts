import type { Answer } from '../model/outcome.ts';
import type { Produced } from '../model/produce.ts';
import type { StreamPlan } from '../model/stream-plan.ts';
import { countingRule, countToolCallTokens, type TokenCounts } from '../model/usage.ts';

export type StreamSegment =
  | { readonly type: 'reasoning'; readonly text: string; readonly tokens: number }
  | { readonly type: 'text'; readonly text: string }
  /** `isFirst` includes the name; `index` counts the calls. */
  | {
      readonly type: 'tool';
      readonly index: number;
      readonly name: string;
      readonly isFirst: boolean;
      readonly text: string;
    };

const reasoningTokensEach = 8;
const toolCharactersEach = 8;
const wordCharactersMax = 1_024;

const thought = 'Thinking. ';

/** Empty without reasoning. */
export function reasoningTextOf({ reasoningTokens }: TokenCounts): string {
  return thought.repeat(Math.ceil(reasoningTokens / reasoningTokensEach));
}

/** Reasoning, then text word by word, then tool calls. */
export function segmentsOf(
  { text, toolCalls, usage }: Produced,
  plan: StreamPlan,
): readonly StreamSegment[] {
  const segments: StreamSegment[] = [];
  for (let remaining = usage.reasoningTokens; remaining > 0; remaining -= reasoningTokensEach) {
    const tokens = Math.min(remaining, reasoningTokensEach);
    segments.push({ type: 'reasoning', text: thought, tokens });
  }
  const words = plan.split === 'units' ? text.split('') : wordsOf(text);
  for (const word of words) segments.push({ type: 'text', text: word });
  for (const [index, { name, arguments: input }] of toolCalls.entries()) {
    const count = plan.toolPieces ?? Math.ceil(input.length / toolCharactersEach);
    const pieces = [...piecesOf(input, Math.max(1, count))];
    for (const [at, piece] of pieces.entries()) {
      segments.push({ type: 'tool', index, name, isFirst: at === 0, text: piece });
    }
  }
  return segments;
}

/** At the first `count` deltas: the rule's tokens, unless the response reports its own counts. */
export function usageOf(
  { produced, reported }: { readonly produced: Produced; readonly reported: Answer['usage'] },
  segments: readonly StreamSegment[],
  count: number,
): TokenCounts {
  if (count >= segments.length) return produced.usage;
  let reasoningTokens = 0;
  let textBytes = 0;
  const inputs: string[] = [];
  for (const segment of segments.slice(0, count)) {
    if (segment.type === 'reasoning') reasoningTokens += segment.tokens;
    else if (segment.type === 'text') textBytes += Buffer.byteLength(segment.text);
    else inputs[segment.index] = (inputs[segment.index] ?? '') + segment.text;
  }
  let outputTokens = reasoningTokens + Math.ceil(textBytes / countingRule.bytesPerToken);
  for (const [index, input] of inputs.entries()) {
    const name = produced.toolCalls[index]?.name ?? '';
    outputTokens += countToolCallTokens({ name, arguments: input });
  }
  return { ...produced.usage, reasoningTokens, outputTokens, ...reported };
}

/** Includes preceding spaces; never splits a character. */
function* wordsOf(text: string): Iterable<string> {
  for (const [word] of text.matchAll(/\s*\S+|\s+$/gu)) {
    if (word.length <= wordCharactersMax) yield word;
    else yield* charactersOf(word);
  }
}

function* charactersOf(word: string): Iterable<string> {
  let start = 0;
  while (start < word.length) {
    let end = Math.min(start + wordCharactersMax, word.length);
    const isWithin = /[\ud800-\udbff]/.test(word.charAt(end - 1)) && end < word.length;
    if (isWithin) end--;
    yield word.slice(start, end);
    start = end;
  }
}

/** Parts of similar length; some are empty for too few characters. */
function* piecesOf(text: string, count: number): Iterable<string> {
  for (let index = 0; index < count; index++) {
    const [start, end] = [index, index + 1].map((at) => Math.floor((text.length * at) / count));
    yield text.slice(start, end);
  }
}
