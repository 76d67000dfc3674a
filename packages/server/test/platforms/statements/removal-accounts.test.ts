import { describe, expect, test } from 'vitest';
import { createAccountReader, readAccount } from '../../../src/platforms/model/account.ts';
import { type AccountWord, accountWords } from '../../../src/platforms/statements/account-words.ts';
import { testRemoval } from './removal.ts';

const nameOf = ({ isIn, word }: AccountWord) => `${isIn} ${word}`;

interface Given {
  readonly codes: readonly string[];
  readonly said: string;
}

/** Errors as their vendors write them. */
const sentences = [
  'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
  'Billing hard limit has been reached.',
  'Your account is not active, please check your billing details on our website.',
  'Insufficient credits. Add more using https://openrouter.ai/credits',
  'This request requires more credits, or fewer max_tokens.',
  'Insufficient Balance',
  'Your team has either used all available credits or reached its monthly spending limit.',
  "Your newly created team doesn't have any credits or licenses yet.",
  'Insufficient funds',
  '余额不足或无可用资源包,请充值。',
  '您的账户已欠费，请充值后重试。',
];

function givenOf({ isIn, word }: AccountWord): Given {
  if (isIn === 'code') return { codes: [word], said: 'It failed.' };
  const said = sentences.find((each) => each.toLowerCase().includes(word.toLowerCase()));
  return { codes: [], said: said ?? '' };
}

// Gemini writes this of a limit per minute, with the wait; OpenAI adds a code to it.
test('a quota that was exceeded is not an empty account', () => {
  const sentence = () =>
    'You exceeded your current quota, please check your plan and billing details.';
  expect(readAccount({ status: 429, codes: ['RESOURCE_EXHAUSTED'], sentence })).toBeUndefined();
  expect(readAccount({ status: 429, codes: ['insufficient_quota'], sentence })).toBe('quota');
});

describe('each line of the table of accounts', () => {
  testRemoval<AccountWord, Given>({
    lines: accountWords,
    nameOf,
    cases: Object.fromEntries(
      accountWords.map((line) => [nameOf(line), [givenOf(line), ['credit', 'quota']] as const]),
    ),
    read: (lines, { codes, said }) =>
      [400, 429].map((status) =>
        createAccountReader(lines)({ status, codes, sentence: () => said }),
      ),
  });
});
