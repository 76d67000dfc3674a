import { attackApps, attackModels, attackRates, labelOf } from '../arena/accounts.ts';
import { atOnce } from '../arena/callers.ts';
import type { Chance } from '../arena/chance.ts';
import { createFullCostCall } from '../arena/planned-call.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, indexes, type StageParts, type StageResult } from '../arena/stage.ts';

const callsMax = 400;
const callersAtOnce = 8;
const maxTokens = 20;

/** Includes texts that only appear to grow by normalization. */
const kinds: readonly { readonly piece: string; readonly piecesMax: number }[] = [
  // 3 bytes that become 33: the Arabic words of a greeting in one character.
  { piece: '\ufdfa', piecesMax: 1_500 },
  // 3 bytes that become 6 even in NFC: a Tibetan vowel sign.
  { piece: '\u0f76', piecesMax: 4_000 },
  // 4 bytes that become 12: a musical note.
  { piece: '\u{1d160}', piecesMax: 3_000 },
  // A letter with many combining marks, which composition has to sort.
  { piece: `a${'\u0301\u0323\u0344'.repeat(10)}`, piecesMax: 60 },
  // Hangul: syllables, their letters, and half-width ones.
  { piece: '\ud55c\uae00', piecesMax: 2_000 },
  { piece: '\u1112\u1161\u11ab', piecesMax: 1_500 },
  { piece: '\uffa1\uffc2\uffa4', piecesMax: 1_500 },
  // A ligature, a fraction, a circled number, a square of kana.
  { piece: '\ufb03\u00bd\u2473\u3316', piecesMax: 1_000 },
];

/** Billed at one token per byte of the longer form. */
export async function normalizing(parts: StageParts): Promise<StageResult> {
  const account = attackApps.normalizing.name;
  const texts = indexes(callsMax).map((index) => textOf(parts.chance, index));
  const results = await untilRefused(parts, account, texts);
  await spendRest(parts, account);
  const tried = texts.slice(0, results.length).filter((text) => text !== '');
  const growth = Math.max(...tried.map(growthOf));
  return {
    name: account,
    line: `${countOf(results, 'answered')} texts that grow up to ${growth}-fold when normalized`,
  };
}

async function untilRefused({ callers }: StageParts, account: string, texts: readonly string[]) {
  let isSpent = false;
  const results = await atOnce([...texts.entries()], callersAtOnce, async ([index, text]) => {
    if (isSpent) return undefined;
    const call = await callers.call(
      account,
      createFullCostCall({
        label: labelOf(account, index),
        model: attackModels.asked,
        rates: attackRates,
        maxTokens,
        text,
        instructions: { bills: { inputTokens: 'normalized' } },
      }),
    );
    isSpent ||= call.kind !== 'answered';
    return call;
  });
  return results.filter((call) => call !== undefined);
}

function textOf(chance: Chance, index: number): string {
  const kind = kinds[index % kinds.length];
  if (kind === undefined) return '';
  const { piece, piecesMax } = kind;
  return piece.repeat(Math.ceil(piecesMax * (0.5 + chance.next() / 2)));
}

function growthOf(text: string): number {
  const bytes = Buffer.byteLength(text);
  const forms = [text.normalize('NFC'), text.normalize('NFKC')].map((form) =>
    Buffer.byteLength(form),
  );
  return Math.round(Math.max(...forms) / bytes);
}
