import type { Outcome } from '@model-gateway/simulator';
import { expect, test } from 'vitest';
import { chatOf, prompted } from '../support/exchange.ts';
import { maximumCostPicoUsd } from '../support/maximum-cost.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { expectSums, settled } from './support/books.ts';
import { startStream } from './support/caller.ts';
import { openHouse } from './support/house.ts';

type Attempt = 'refused' | 'throttled' | 'broken at once' | 'broken' | 'thinking' | 'whole';

/** Each test has its own prompt, and so its own attempts. */
const plans = new Map<string, readonly Attempt[]>();
const made = new Map<string, number>();

const house = openHouse('sqlite', {
  script({ request }) {
    const prompt = request.messages.at(-1)?.texts.join('') ?? '';
    const at = made.get(prompt) ?? 0;
    made.set(prompt, at + 1);
    const attempt = plans.get(prompt)?.[at];
    return attempt === undefined ? undefined : outcomeOf(attempt, at);
  },
});

/** Each attempt writes its own words. */
function outcomeOf(attempt: Attempt, at: number): Outcome {
  const text = Array.from({ length: 6 }, (_, word) => `try${at}.${word} `).join('');
  const stop = (after: number) => ({ gapMs: 10, stop: { how: 'break', after } }) as const;
  if (attempt === 'refused') return platformError(503);
  if (attempt === 'throttled') return platformError(429, {}, 'rate_limit_exceeded');
  if (attempt === 'broken at once') return { kind: 'answer', text, stream: stop(0) };
  if (attempt === 'broken') return { kind: 'answer', text, stream: stop(3) };
  if (attempt === 'thinking') {
    return { kind: 'answer', text, reasoningTokens: 40, stream: stop(1) };
  }
  return { kind: 'answer', text, stream: { gapMs: 10 } };
}

const rows: readonly {
  readonly attempts: readonly Attempt[];
  readonly sees: string;
  readonly words: number;
}[] = [
  { attempts: ['whole'], sees: 'finish', words: 6 },
  { attempts: ['refused', 'whole'], sees: 'finish', words: 6 },
  { attempts: ['refused', 'throttled', 'whole'], sees: 'finish', words: 6 },
  { attempts: ['broken at once', 'whole'], sees: 'finish', words: 6 },
  { attempts: ['broken at once', 'broken at once', 'whole'], sees: 'finish', words: 6 },
  { attempts: ['broken'], sees: 'error SERVER', words: 3 },
  { attempts: ['refused', 'broken'], sees: 'error SERVER', words: 3 },
  { attempts: ['broken at once', 'broken'], sees: 'error SERVER', words: 3 },
  // Nobody sees it, but it is content: the head has been sent.
  { attempts: ['thinking'], sees: 'error SERVER', words: 0 },
  { attempts: ['refused', 'refused', 'refused'], sees: '502 SERVER', words: 0 },
];

test.each(rows)('$attempts: every delta belongs to the last attempt', async (row) => {
  const { stack, newApp } = house();
  const app = await newApp();
  const prompt = `attempts of ${app}`;
  plans.set(prompt, row.attempts);
  const caller = await startStream(stack, app, chatOf('sim-echo', prompted(prompt)));
  await caller.untilEnd();
  expect(caller.lastWords()).toBe(row.sees);
  expect(made.get(prompt)).toBe(row.attempts.length);
  const last = row.attempts.length - 1;
  const words = caller.text().trim().split(' ').filter(Boolean);
  expect(words).toEqual(Array.from({ length: row.words }, (_, at) => `try${last}.${at}`));
  await expectSums(stack, app, await settled(stack, app));
});

test('an attempt that may have been billed is repeated only if a second maximum fits', async () => {
  const { stack, newApp } = house();
  const prompt = 'attempts of a poor app';
  // The circuit of the other model is open after its failures.
  const body = chatOf('sim-openai-only', prompted(prompt));
  const most = maximumCostPicoUsd(body);
  const poor = await newApp({ dailyBudgetPicoUsd: most * 2n - 1n });
  plans.set(prompt, ['broken at once', 'whole']);
  const caller = await startStream(stack, poor, body);
  await caller.untilEnd();
  expect(caller.lastWords()).toBe('502 SERVER');
  expect(made.get(prompt)).toBe(1);
  const [call] = await settled(stack, poor);
  expect(call).toMatchObject({ cost: most, estimated: most, held: most });
});
