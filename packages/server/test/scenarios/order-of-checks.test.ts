import { expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { expectClean } from '../support/books.ts';
import { chatOf, type Exchange, send } from '../support/exchange.ts';
import { type SharedStack, sharedStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

/** A plan for one concurrent request and two a day. */
const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { bodyBytes: 1000 }
plans: { user: { ratePerSecond: 1, burst: 1, requestsPerDay: 2 } }
apps: []
`;

const shared = sharedStack({ yaml });

/** A request's defect, in the contract's order; `answer` is status and code. */
const faults = [
  { fault: 'unknown key', answer: '403 Forbidden' },
  { fault: 'over the rate', answer: '429 Too Many Requests' },
  { fault: 'over the quota', answer: '429 Limit Exceeded' },
  { fault: 'too long', answer: '413 Request Too Long' },
  { fault: 'odd key name', answer: '401 UNAUTHORIZED' },
  { fault: 'not registered', answer: '403 NO_SERVICE' },
  { fault: 'disabled', answer: '403 DISABLED' },
  { fault: 'no such route', answer: '404 NOT_FOUND' },
  { fault: 'not JSON', answer: '400 INVALID' },
  { fault: 'no user', answer: '400 USER_REQUIRED' },
  { fault: 'not allowed', answer: '403 MODEL_NOT_ALLOWED' },
  { fault: 'not priced', answer: '400 MODEL_NOT_PRICED' },
  { fault: 'other request', answer: '400 INVALID' },
  { fault: 'no budget', answer: '429 BUDGET_EXCEEDED' },
  { fault: 'no credits', answer: '402 INSUFFICIENT_CREDITS' },
  { fault: 'throttled', answer: '429 THROTTLED' },
] as const;

type Fault = (typeof faults)[number]['fault'];

/** Two rules that no request can break together: an app that does not exist is not disabled. */
const impossible = 'not registered + disabled';

const pairs = faults.flatMap((first, index) => {
  const second = faults[index + 1];
  if (second === undefined) return [];
  const both = `${first.fault} + ${second.fault}`;
  return both === impossible ? [] : [{ both, faults: [first.fault, second.fault], ...first }];
});

test.each(faults)('$fault by itself is $answer', async ({ fault, answer }) => {
  expect(await answerTo([fault])).toBe(answer);
});

test.each(pairs)('$both is $answer', async ({ faults: broken, answer }) => {
  expect(await answerTo(broken)).toBe(answer);
});

test('a request that breaks no rule gets a response', async () => {
  expect(await answerTo([])).toBe('200');
});

/** The response to a request of an app that breaks exactly these rules. */
async function answerTo(broken: readonly Fault[]): Promise<string> {
  const { stack } = shared();
  const key = await prepare(shared(), new Set(broken));
  const before = stack.simulator.bill().total.calls;
  const answer = await ask(stack, key, new Set(broken));
  expect(stack.simulator.bill().total.calls - before).toBe(answer.status === 200 ? 1 : 0);
  await expectClean(stack);
  return nameOf(answer);
}

function nameOf({ status, body }: Exchange): string {
  if (status === 200) return '200';
  const { error, message } = Object(body);
  return `${status} ${error === undefined ? message : error.code}`;
}

async function prepare({ stack, newApp }: SharedStack, broken: ReadonlySet<Fault>) {
  const has = (fault: Fault) => broken.has(fault);
  const isMetered = has('no user') || has('no credits') || has('not priced');
  const credits = {
    monthlyGrantPicoUsd: has('no credits') ? 1n : 1_000_000_000_000n,
    picoUsdPerCredit: 10_000_000_000n,
  };
  const registered = await newApp(isMetered ? { credits } : {});
  const app = has('not registered') ? 'ghost' : registered;
  const customerId = has('odd key name') ? 'elsewhere' : app;
  const { key } = await stack.issueNamedKey(`llm::user::${app}::a@b.example`, customerId);
  if (has('other request')) await ask(stack, key, new Set(['other maxTokens']));
  if (has('over the quota')) await useUp(stack, key, 2);
  await updateApp(stack.admin, registered, {
    enabled: !has('disabled'),
    ...(has('not allowed') ? { models: ['sim-cached'] } : {}),
    ...(has('no budget') ? { dailyBudgetPicoUsd: 1n } : {}),
  });
  await stack.clock.advance(1_000);
  if (has('over the rate')) await useUp(stack, key, 1);
  return key;
}

/** Uses up requests of the day, each a second after the other except the last. */
async function useUp(stack: Stack, key: string, requests: number) {
  for (let request = 0; request < requests; request++) {
    if (request > 0) await stack.clock.advance(1_000);
    await send(stack, '/nowhere', { headers: { 'x-api-key': key } });
  }
}

function ask(stack: Stack, key: string, broken: ReadonlySet<string>): Promise<Exchange> {
  const body = JSON.stringify({
    ...chatOf(modelFor(broken)),
    ...(broken.has('no user') ? {} : { userId: 'ada' }),
    ...(broken.has('other maxTokens') ? { maxTokens: 50 } : {}),
    ...(broken.has('too long') ? { filler: 'a'.repeat(1_000) } : {}),
  });
  return send(stack, broken.has('no such route') ? '/v1/nowhere' : '/v1/chat', {
    method: 'POST',
    headers: {
      'x-api-key': broken.has('unknown key') ? 'nobody' : key,
      'content-type': 'application/json',
      ...(broken.has('other request') || broken.has('other maxTokens')
        ? { 'idempotency-key': 'one-key' }
        : {}),
    },
    body: broken.has('not JSON') ? body.slice(0, -1) : body,
  });
}

function modelFor(broken: ReadonlySet<string>): string {
  if (broken.has('not priced')) return 'sim-unpriced';
  return broken.has('throttled') ? 'sim-quota' : 'sim-echo';
}
