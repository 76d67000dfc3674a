import { type AccountWord, accountWords } from '../statements/account-words.ts';

/**
 * Why a platform rejects the operator's account, whatever the request is: `credit`, it has no
 * money; `quota`, the same with the status 429; `unauthorized`, its key is rejected (401);
 * `forbidden`, its key has no right (403).
 */
export type AccountProblem = 'credit' | 'quota' | 'unauthorized' | 'forbidden';

/** What of an error is read: its status, its codes, and its sentence without what it quotes. */
export interface ReadableError {
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly sentence: () => string;
}

/** Finds out whether an error is about the operator's account; undefined where it is not. */
export type ReadAccount = (error: ReadableError) => AccountProblem | undefined;

/** Reads by these lines. */
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

function wordsOf(lines: readonly AccountWord[], place: AccountWord['isIn']): readonly string[] {
  return lines.filter(({ isIn }) => isIn === place).map(({ word }) => word.toLowerCase());
}

/** Reads by the lines of the table. */
export const readAccount: ReadAccount = createAccountReader(accountWords);
