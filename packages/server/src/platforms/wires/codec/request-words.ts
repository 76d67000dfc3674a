import type { Wire } from '../../../domain/wire.ts';

/** What a request may ask for that not every wire has words for. */
export type RequestWord =
  | 'frequencyPenalty'
  | 'jsonObject'
  | 'parallelToolCalls'
  | 'presencePenalty'
  | 'remoteParts'
  | 'seed'
  | 'stop'
  | 'strictTools'
  | 'verbosity';

const penalties = ['frequencyPenalty', 'presencePenalty'] as const;

const missing: Readonly<Record<Wire, ReadonlySet<RequestWord>>> = {
  'openai-chat': new Set(),
  'openai-responses': new Set(['remoteParts', 'seed', 'stop', ...penalties]),
  'anthropic-messages': new Set([
    ...(['jsonObject', 'remoteParts', 'seed', 'strictTools', 'verbosity'] as const),
    ...penalties,
  ]),
};

/** A package of the AI SDK takes what its interface has; which of it is sent, only it knows. */
const missingOfPackages: ReadonlySet<RequestWord> = new Set([
  'parallelToolCalls',
  'remoteParts',
  'verbosity',
]);

/** Whether a request with this word can be written on a wire, be it one that is not known. */
export function hasWord(wire: Wire | undefined, word: RequestWord): boolean {
  return !(wire === undefined ? missingOfPackages : missing[wire]).has(word);
}
