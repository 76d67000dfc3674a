import { type AccountWord, accountWords } from '../statements/account-words.ts';

/**
 * `credit`: no money; `quota`: no money, with status 429; `unauthorized`: key rejected (401);
 * `forbidden`: key lacks the right (403). Independent of the request.
 */
export type AccountProblem = 'credit' | 'quota' | 'unauthorized' | 'forbidden';

/** The sentence omits what it quotes. */
export interface ReadableError {
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly sentence: () => string;
}

export type ReadAccount = (error: ReadableError) => AccountProblem | undefined;

export function createAccountReader(lines: readonly AccountWord[]): ReadAccount {
  const inCodes = new Set(wordsOf(lines, 'code'));
  const inSentences = wordsOf(lines, 'sentence');
  return ({ status, codes, sentence }) => {
    if (status === 402) return 'credit';
    if (codes.some((code) => inCodes.has(code.toLowerCase())) || isNamedIn(sentence())) {
      return status === 429 ? 'quota' : 'credit';
    }
    if (status === 401) return 'unauthorized';
    return status === 403 ? 'forbidden' : undefined;
  };

  function isNamedIn(sentence: string): boolean {
    const text = sentence.toLowerCase();
    return inSentences.some((word) => text.includes(word));
  }
}

function wordsOf(lines: readonly AccountWord[], location: AccountWord['isIn']): readonly string[] {
  return lines.filter(({ isIn }) => isIn === location).map(({ word }) => word.toLowerCase());
}

export const readAccount: ReadAccount = createAccountReader(accountWords);
