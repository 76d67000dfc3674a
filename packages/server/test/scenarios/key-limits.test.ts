import { expect, test } from 'vitest';
import { disableKey, issueKey, type KeyLimits, rotateKey } from '../../src/operations/keys/keys.ts';
import { chatOf, meetWithKey } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

/** A key of an app with its own limits. */
async function keyOf({ clock, admin, service }: Stack, app: string, limits: KeyLimits) {
  const issued = await clock.run(issueKey(admin, { app, email: 'team@acme.example', limits }));
  await clock.run(service.registry.refresh());
  return issued;
}

const chat = (stack: Stack, key: string, model = 'sim-echo') =>
  meetWithKey(stack, key, (client) => client.chat(chatOf(model)));

test(
  'a key may call its own models, as far as its app may',
  onStack(
    async (stack) => {
      const { key } = await keyOf(stack, 'narrow', { models: ['sim-echo', 'sim-reasoning'] });
      expect((await chat(stack, key)).status).toBe(200);
      for (const model of ['sim-cached', 'sim-reasoning']) {
        expectError(await chat(stack, key, model), {
          ...{ status: 403, code: 'MODEL_NOT_ALLOWED' },
          says: [`is not allowed to use the model ${model}`],
        });
      }
      const { body } = await meetWithKey(stack, key, (client) => client.models());
      expect(body).toMatchObject({ models: [{ id: 'sim-echo' }] });
      const { key: other } = await keyOf(stack, 'narrow', {});
      expect((await chat(stack, other, 'sim-cached')).status).toBe(200);
    },
    { yaml: `${defaultYaml}  - { name: narrow, models: [sim-echo, sim-cached] }\n` },
  ),
);

test(
  'an expired key is unknown from its end on, like a disabled one',
  onStack(async (stack) => {
    const expiresAt = stack.clock.now() + 60_000;
    const { key } = await keyOf(stack, 'search', { expiresAt });
    expect((await chat(stack, key)).status).toBe(200);
    await stack.clock.advance(60_000);
    const refused = await chat(stack, key);
    expect(refused).toMatchObject({ status: 403, body: { message: 'Forbidden' } });
  }),
);

test(
  'keys of one rotation chain have one plan, and end one by one',
  onStack(
    async (stack) => {
      const { clock, admin, service } = stack;
      const first = await keyOf(stack, 'search', {});
      const second = await clock.run(rotateKey(admin, first.id, {}));
      const third = await clock.run(rotateKey(admin, second.id, {}));
      await clock.run(service.registry.refresh());
      expect((await chat(stack, first.key)).status).toBe(200);
      expect((await chat(stack, third.key)).status).toBe(200);
      const refused = await chat(stack, second.key);
      expect(refused).toMatchObject({ status: 429, body: { message: 'Limit Exceeded' } });
      await clock.run(disableKey(admin, first.id));
      await clock.run(service.registry.refresh());
      expect((await chat(stack, first.key)).status).toBe(403);
      expect((await chat(stack, third.key)).status).toBe(429);
    },
    { yaml: `${defaultYaml}plans: { user: { requestsPerDay: 2 } }\n` },
  ),
);
