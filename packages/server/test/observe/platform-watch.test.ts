import { expect, test } from 'vitest';
import { createMissingModels } from '../../src/observe/platform-watch.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { createTestClock } from '../support/test-clock.ts';

async function ready({ clock, service }: Stack, query?: string) {
  const page = service.monitor.pages['/ready'];
  if (page === undefined) throw new Error('there is no page /ready');
  const { text } = await clock.run(Promise.resolve(page(query)));
  return JSON.parse(text);
}

async function call(stack: Stack, app: string, model: string) {
  const messages = [{ role: 'user', content: 'Hello' }];
  const userId = app === 'tutor' ? 'ada' : undefined;
  const body = { model, maxTokens: 50, messages, ...(userId === undefined ? {} : { userId }) };
  const answer = await stack.post(app, '/v1/chat', body);
  return [answer.status, /"code":"(\w+)"/.exec(await answer.text())?.[1]];
}

async function listed(stack: Stack, app: string): Promise<readonly string[]> {
  const client = await stack.client(app);
  const { models } = await stack.clock.run(client.models());
  return models.map(({ id }) => id);
}

const toldOf = ({ logLines }: Stack, platform: string) =>
  logLines
    .filter(({ fields }) => fields.platform === platform && 'state' in fields)
    .map(({ level, fields, message }) => [level, fields.status, message]);

test(
  'an invalid credential is distinct from one without permission, in the log and on demand',
  onStack(async (stack) => {
    expect(await ready(stack, 'verbose')).toEqual({
      status: 'ready',
      platforms: [{ name: 'sandbox', state: 'not-asked', problem: null }],
    });
    // Callers get the same error for both.
    expect(await call(stack, 'search', 'sim-unauthorized')).toEqual([403, 'AUTH']);
    expect(await call(stack, 'search', 'sim-unauthorized')).toEqual([403, 'AUTH']);
    const unauthorized = 'sandbox rejected the credential (401); check platforms.sandbox.apiKey';
    expect(toldOf(stack, 'sandbox')).toEqual([['error', 401, unauthorized]]);
    expect(await ready(stack, 'verbose')).toEqual({
      status: 'ready',
      platforms: [{ name: 'sandbox', state: 'unauthorized', problem: unauthorized }],
    });
    expect(await call(stack, 'search', 'sim-denied')).toEqual([403, 'AUTH']);
    const [, denied] = toldOf(stack, 'sandbox');
    expect(denied).toEqual(['error', 403, expect.stringContaining('denied access (403)')]);
    expect((await ready(stack, 'verbose')).platforms).toMatchObject([{ state: 'forbidden' }]);
    expect(await call(stack, 'search', 'sim-echo')).toEqual([200, undefined]);
    expect((await ready(stack, 'verbose')).platforms).toEqual([
      { name: 'sandbox', state: 'works', problem: null },
    ]);
    expect(await ready(stack)).toEqual({ status: 'ready' });
  }),
);

test(
  'a model that its platform reports missing is not listed for a minute, only for that app',
  onStack(async (stack) => {
    expect(await listed(stack, 'search')).toContain('sim-missing');
    expect(await call(stack, 'search', 'sim-missing')).toEqual([404, 'NOT_FOUND']);
    expect(await listed(stack, 'search')).not.toContain('sim-missing');
    expect(await listed(stack, 'search')).toContain('sim-echo');
    expect(await listed(stack, 'tutor')).toContain('sim-missing');
    await stack.clock.advance(59_000);
    expect(await listed(stack, 'search')).not.toContain('sim-missing');
    await stack.clock.advance(2_000);
    expect(await listed(stack, 'search')).toContain('sim-missing');
  }),
);

test(
  'startup requests the platforms’ models, and logs no warning if they respond',
  onStack(async (stack) => {
    await stack.clock.run(stack.service.watch.check());
    expect((await ready(stack, 'verbose')).platforms).toMatchObject([{ state: 'works' }]);
    expect(toldOf(stack, 'sandbox')).toEqual([]);
  }),
);

test('a missing model is removed when it responds, and their number is limited', () => {
  const missing = createMissingModels(createTestClock());
  missing.add('search', 'a');
  missing.clear('search', 'a');
  expect(missing.has('search', 'a')).toBe(false);
  for (let index = 0; index <= 10_000; index++) missing.add('search', `model-${index}`);
  expect(missing.has('search', 'model-0')).toBe(false);
  expect(missing.has('search', 'model-1')).toBe(true);
  expect(missing.has('search', 'model-10000')).toBe(true);
});
