import type { Outcome } from '@model-gateway/simulator';
import fc from 'fast-check';

// The possible actions of callers, a platform and an operator on calls that a user's wallet pays
// for.

export const routes = ['whole', 'stream', 'embed'] as const;
export type Route = (typeof routes)[number];

/** The platform's result for a call. */
const results = [
  ...['answers', 'uncounted', 'truncated', 'overruns'],
  ...['bad', 'refuses', 'breaks', 'silent'],
] as const;

export interface Plan {
  readonly result: (typeof results)[number];
  /** Seconds until it begins; 5 is after the time limit, and within the detached time. */
  readonly slow: 0 | 1 | 5;
}

export interface Ask {
  readonly kind: 'ask';
  readonly route: Route;
  /** Requests of one user, route and slot are equal to the byte, and have the same key if any. */
  readonly slot: 0 | 1;
  readonly user: 'ada' | 'bob';
  readonly isKeyed: boolean;
  /** The request is marked as a retry. */
  readonly isRetry: boolean;
  readonly plan: Plan;
}

export type Step =
  | Ask
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'leave'; readonly ago: number }
  /** Another process counts this one as dead: it books the call's reservation as an estimate. */
  | { readonly kind: 'lose'; readonly ago: number }
  /** An operator corrects the cost of a call. */
  | { readonly kind: 'correct'; readonly ago: number; readonly to: 'tiny' | 'half' | 'triple' }
  /** All calls end, then results for retries, or keys too, are removed. */
  | { readonly kind: 'forget'; readonly what: 'retries' | 'keys' };

export interface Script {
  readonly storeAnswers: boolean;
  readonly adoptRetries: boolean;
  /** Whether the month ends 3.1 s after the first step. */
  readonly isMonthsEnd: boolean;
  readonly steps: readonly Step[];
}

const ask: fc.Arbitrary<Ask> = fc.record({
  kind: fc.constant('ask' as const),
  route: fc.constantFrom('whole' as const, 'stream' as const, ...routes),
  slot: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const),
  user: fc.constantFrom('ada' as const, 'ada' as const, 'ada' as const, 'bob' as const),
  isKeyed: fc.boolean(),
  isRetry: fc.boolean(),
  plan: fc.record({
    result: fc.constantFrom('answers' as const, 'answers' as const, ...results),
    slow: fc.constantFrom(0 as const, 1 as const, 5 as const),
  }),
});

const ago = fc.nat(3);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: ask },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, 2, 3, 7, 16),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('leave' as const), ago }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), ago }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      ago,
      to: fc.constantFrom('tiny' as const, 'half' as const, 'triple' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('forget' as const),
      what: fc.constantFrom('retries' as const, 'keys' as const),
    }),
  },
);

/** Scripts: requests, and events for them and for requests like the first. */
export const scripts: fc.Arbitrary<Script> = fc
  .record({
    storeAnswers: fc.constantFrom(true, true, true, false),
    adoptRetries: fc.boolean(),
    isMonthsEnd: fc.constantFrom(false, false, false, true),
    steps: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: step },
        { weight: 1, arbitrary: fc.constant('again' as const) },
      ),
      {
        ...{ minLength: 1, maxLength: 10, size: 'max' },
      },
    ),
  })
  .map(({ steps, ...settings }) => {
    const first = steps.find((each) => typeof each === 'object' && each.kind === 'ask');
    const again = typeof first === 'object' && first.kind === 'ask' ? [first] : [];
    return {
      ...settings,
      steps: steps.flatMap((each) =>
        each === 'again' ? again.map((same) => ({ ...same, isRetry: true })) : [each],
      ),
    };
  });

/** Output tokens that all requests allow. */
export const maxTokens = 1_000;
const words = ['one ', 'two ', 'six ', 'ten '];
export const text = words.join('');

/** The simulator's instructions. Half a second apart from all actions of callers and limits. */
export function outcomeOf({ result, slow }: Plan, route: Route): Outcome {
  const isStream = route === 'stream';
  const delayMs = slow * 1_000 + 500;
  const stop = (how: 'break' | 'silence') => ({ gapMs: 1_000, stop: { how, after: 2 } });
  const answer = { kind: 'answer', text, delayMs, stream: { gapMs: 1_000 } } as const;
  switch (result) {
    case 'answers':
      return answer;
    case 'uncounted':
      return { ...answer, reportedUsage: 'absent' };
    case 'truncated':
      return { ...answer, finish: 'length' };
    case 'overruns':
      return route === 'embed' ? answer : { ...answer, usage: { outputTokens: 2 * maxTokens } };
    case 'bad':
      return { ...answer, vectors: 0, toolCalls: [{ name: 'unknown', arguments: '{}' }] };
    case 'refuses': {
      const error = { status: 400, code: 'no', type: 'no', message: 'no' };
      return { kind: 'error', delayMs, error };
    }
    case 'breaks':
      return isStream ? { ...answer, stream: stop('break') } : { ...answer, fault: 'reset' };
    case 'silent':
      return isStream ? { ...answer, stream: stop('silence') } : { kind: 'silence' };
  }
}

/** A readable script: a line for each step. */
export function linesOf({ storeAnswers, adoptRetries, isMonthsEnd, steps }: Script): string {
  let asks = 0;
  const settings = { storeAnswers, adoptRetries, isMonthsEnd };
  return [JSON.stringify(settings), ...steps.map(lineOf)].join('\n');

  function lineOf(step: Step): string {
    if (step.kind !== 'ask') return `  ${Object.values(step).join(' ')}`;
    asks += 1;
    const { route, slot, user, isKeyed, isRetry, plan } = step;
    const words = [`request ${asks}:`, route, slot, user, isKeyed ? 'with key' : 'without key'];
    if (isRetry) words.push('retry');
    return `  ${[...words, `(platform: ${plan.result} after ${plan.slow}.5 s)`].join(' ')}`;
  }
}
