import type { Wire } from '../../../domain/wire.ts';

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

/** Words that a package's interface lacks; only the package knows its request. */
const missingOfPackages: ReadonlySet<RequestWord> = new Set([
  'parallelToolCalls',
  'remoteParts',
  'verbosity',
]);

export function hasWord(wire: Wire | undefined, word: RequestWord): boolean {
  return !(wire === undefined ? missingOfPackages : missing[wire]).has(word);
}
