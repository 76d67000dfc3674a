import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentOf } from '../agents/ask.ts';
import { expectClean } from '../support/books.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { asTold, objectOf, sendInRealTime, told } from './ask.ts';
import { documents } from './documents.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 10000, burst: 10000, requestsPerDay: 1000000 } }
apps: [{ name: search, dailyBudgetUsd: "50" }]
`;
const shared = sharedStack({ yaml, script: asTold });

/** A model's possible output: JSON of all kinds, and invalid JSON. */
const written = fc.oneof({ weight: 9, arbitrary: fc.json({ maxDepth: 3 }) }, fc.string());

test('for every schema and every answer, the call ends within the contract', async () => {
  const { stack } = shared();
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(documents, written, async (document, text) => {
      const schema = { ...document, type: 'object' };
      const object = objectOf('sim-echo', { ...told({ text }), schema });
      const tools = [{ name: 't', inputSchema: document }];
      const toolCalls = [{ name: 't', arguments: text }];
      const turn = agentOf('sim-echo', { ...told({ text, toolCalls }), tools });
      for (const [path, body] of [
        ['/v1/objects', object],
        ['/v1/agents/run', turn],
      ] as const) {
        const { status, body: answer } = await sendInRealTime(stack, path, body);
        seen.add(status);
        const code = { 200: undefined, 400: 'INVALID', 422: 'TRUNCATED', 502: 'BAD_OUTPUT' };
        expect(Object.keys(code)).toContain(String(status));
        expect(Object(answer).error?.code).toBe(Reflect.get(code, status));
      }
    }),
    { numRuns: 100 },
  );
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 502]));
  await expectClean(stack);
});
