import { expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml } from '../support/stack.ts';

const yaml = `${defaultYaml}  - { name: strict, dailyBudgetUsd: "5", requirePriced: true }\n`;

const rows = [
  { app: 'tutor', model: 'sim-unpriced', why: 'the app tutor meters credits' },
  { app: 'tutor', model: 'nobody-knows-it', why: 'the app tutor meters credits' },
  { app: 'strict', model: 'sim-unpriced', why: 'the app strict requires a price' },
  { app: 'strict', model: 'nobody-knows-it', why: 'the app strict requires a price' },
] as const;

test.each(rows)(
  '$app may not call $model, which has no price',
  onStack(
    async (stack, { app, model, why }: (typeof rows)[number]) => {
      const refused = await meetChat(stack, app, model, { userId: 'ada' });
      expectError(refused, {
        status: 400,
        code: 'MODEL_NOT_PRICED',
        says: [`The model ${model} has no price`, why, 'from GET /v1/models'],
      });
      await expectBooks(stack, app, { calls: [], billedUsd: '0' });
    },
    { yaml },
  ),
);

test(
  'both may call a model with a price',
  onStack(
    async (stack) => {
      for (const app of ['tutor', 'strict']) {
        expect((await meetChat(stack, app, 'sim-echo', { userId: 'ada' })).status).toBe(200);
      }
    },
    { yaml },
  ),
);

test.each([
  { app: 'search', seesUnpriced: true },
  { app: 'strict', seesUnpriced: false },
  { app: 'tutor', seesUnpriced: false },
])(
  'GET /v1/models lists for $app no model that it could never call',
  onStack(
    async (stack, { app, seesUnpriced }: { app: string; seesUnpriced: boolean }) => {
      const client = await stack.client(app);
      const { models } = await stack.clock.run(client.models());
      expect(models.some(({ id }) => id === 'sim-unpriced')).toBe(seesUnpriced);
      expect(models.some(({ priced }) => !priced)).toBe(seesUnpriced);
    },
    { yaml },
  ),
);

test(
  'nor does it where the configuration rejects such models, but for an app that does not',
  onStack(
    async (stack) => {
      const idsOf = async (app: string) => {
        const client = await stack.client(app);
        return (await stack.clock.run(client.models())).models.map(({ id }) => id);
      };
      expect(await idsOf('search')).not.toContain('sim-unpriced');
      expect(await idsOf('eager')).toContain('sim-unpriced');
    },
    { yaml: `${defaultYaml}  - { name: eager, unpriced: dearest }\nunpriced: refuse\n` },
  ),
);
