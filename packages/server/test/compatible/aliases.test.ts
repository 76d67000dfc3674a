import { describe, expect, test } from 'vitest';
import { billed, expectSums, settled } from '../streams/support/books.ts';
import { pairwise } from '../support/pairs.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { aliasRows, ask, bodyOf, breakAt, namesOf } from './support/alias-calls.ts';
import { openAliasHouse } from './support/alias-house.ts';
import { describeAliases } from './support/aliases-table.ts';
import { routes } from './support/paid-routes.ts';

describeAliases(pairwise);

describe('an alias', () => {
  const house = openAliasHouse('sqlite');

  test.each(aliasRows.filter(({ isStream }) => isStream))(
    'names the model that answered, $name',
    async (row) => {
      const { asked, newApp, plan, stack } = house();
      const app = await newApp();
      const prompt = `${row.name} half`;
      plan(prompt, breakAt(2));
      const caller = await ask(house(), app, row, bodyOf(row, prompt, namesOf(row).alias));
      expect([caller.status(), caller.header('x-served-by')]).toEqual([200, namesOf(row).first]);
      expect(caller.text().trimEnd().split('\n\n').at(-1)).toContain(row.route.last.error);
      expect(asked(prompt)).toHaveLength(1);
      await expectSums(stack, app, await settled(stack, app));
    },
  );

  test.each(aliasRows)('skips an open circuit, $name, streamed $isStream', async (row) => {
    const { asked, newApp, plan, stack } = house();
    await stack.clock.advance(11_000);
    const { alias, first, second } = namesOf(row);
    const prompt = `${row.name} ${row.isStream} down`;
    plan(prompt, platformError(503));
    const other = await newApp();
    for (let call = 0; call < 7; call += 1) {
      await ask(house(), other, row, bodyOf(row, prompt, first));
    }
    const app = await newApp();
    const passing = `${prompt}, passed`;
    const caller = await ask(house(), app, row, bodyOf(row, passing, alias));
    expect([caller.status(), caller.header('x-served-by')]).toEqual([200, second]);
    expect(asked(passing)).toEqual([expect.stringMatching(/^sim-usd-/)]);
    const kept = `${prompt}, kept`;
    const text = bodyOf(row, kept, alias.replace('alias', 'throttled'));
    const open = await ask(house(), app, row, text);
    expect([open.status(), open.header('x-error-code')]).toEqual([
      row.route.serverStatus === 503 ? 503 : 529,
      'SERVER',
    ]);
    expect(asked(kept)).toEqual([]);
    const calls = await settled(stack, app);
    // Both calls began in the same millisecond.
    expect(new Set(calls.map(({ cost }) => cost))).toEqual(new Set([billed(stack, app), 0n]));
    await expectSums(stack, app, calls);
  });

  test.each([
    ['messages', 501, 'NOT_IMPLEMENTED'],
    ['responses', 501, 'NOT_IMPLEMENTED'],
    ['embeddings', 400, 'INVALID'],
  ] as const)(
    'whose models do not all have the format is rejected, %s',
    async (name, ...wanted) => {
      const { newApp, stack } = house();
      const app = await newApp();
      const row = { name, route: routes[name], isStream: false };
      const caller = await ask(house(), app, row, bodyOf(row, 'Hello', 'mixed'));
      expect([caller.status(), caller.header('x-error-code')]).toEqual(wanted);
      expect(caller.header('x-should-retry')).toBe('false');
      expect(await settled(stack, app)).toEqual([]);
    },
  );

  test('whose models have different formats uses chat completions', async () => {
    const { newApp } = house();
    const row = { name: 'chat completions', route: routes['chat completions'], isStream: false };
    const caller = await ask(house(), await newApp(), row, bodyOf(row, 'Hello', 'mixed'));
    expect([caller.status(), caller.header('x-served-by')]).toEqual([200, 'told-messages']);
  });

  test('suffices in a list of models, and is priced under any policy of the app', async () => {
    const { newApp } = house();
    const app = await newApp({ models: ['alias-messages', 'unpriced'], unpriced: 'free' });
    const row = { name: 'messages', route: routes.messages, isStream: false };
    const codeOf = async (model: string) => {
      const caller = await ask(house(), app, row, bodyOf(row, 'Hello', model));
      return caller.header('x-error-code') ?? 'OK';
    };
    expect(await codeOf('alias-messages')).toBe('OK');
    expect(await codeOf('told-messages')).toBe('MODEL_NOT_ALLOWED');
    expect(await codeOf('unpriced')).toBe('MODEL_NOT_PRICED');
  });

  test('is listed where every model of it supports the format', async () => {
    const { newApp, stack } = house();
    const app = await newApp();
    const idsAt = async (path: string) => {
      const headers = { 'x-api-key': await stack.key(app) };
      const response = await stack.clock.run(
        stack.fetch(`http://gateway.test${path}`, { headers }),
      );
      const { data } = JSON.parse(await response.text());
      return data
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => !id.startsWith('sim-'));
    };
    expect(await idsAt('/anthropic/v1/models')).toEqual([
      ...['dear-messages', 'no-price', 'told-messages', 'alias-messages', 'throttled-messages'],
    ]);
    expect(await idsAt('/openai/v1/models')).toEqual(
      expect.arrayContaining(['alias-chat', 'alias-embeddings', 'mixed', 'throttled-responses']),
    );
  });
});
