import { createFakeClient, FakeScriptError } from '@model-gateway/sdk/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultYaml, openStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  const plans = 'plans: { user: { ratePerSecond: 100000, burst: 100000 } }';
  stack = await openStack({ yaml: defaultYaml.replace('apps:', `${plans}\napps:`) });
});
afterAll(() => stack.close());

const call = { id: 'c1', name: 'look-up', input: { a: [1] } };
const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' };
const chat = {
  model: 'sim-echo',
  maxTokens: 50,
  userId: 'ada',
  temperature: 1,
  topP: 0.5,
  stop: ['END'],
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Hello' }, image] },
    { role: 'assistant', content: 'Let me see.', toolCalls: [call] },
    { role: 'tool', toolCallId: 'c1', content: 'found' },
    { role: 'assistant', content: 'Here it is.' },
    { role: 'user', content: 'Thank you' },
  ],
};
const tools = [{ name: 'look-up', description: 'Looks up', inputSchema: { type: 'object' } }];
const object = { ...chat, schema: { type: 'object' }, schemaName: 'a', schemaDescription: 'b' };
const run = {
  ...{ maxCostUsd: '0.5', expiresInMs: 60_000, models: ['sim-echo'] },
  ...{ userId: 'ada', label: 'nightly' },
};
const turn = { ...chat, tools, toolChoice: { name: 'look-up' } };

const odd = [
  ...[
    null,
    true,
    0,
    1,
    -1,
    2,
    0.5,
    9,
    1e7,
    '',
    'x',
    'a/b',
    '.',
    '..',
    '...',
    'a\u0000b',
    'c2',
    'tool',
    'user',
  ],
  ...[
    'auto',
    'required',
    'a b',
    'x'.repeat(65),
    'x'.repeat(129),
    '😀'.repeat(100),
    'sim-echo',
    'image/png',
  ],
  ...['0', '0.00', '007', '1e3', '1.', '.5', ' 1', '0.0000000000001', '999999.5', '1000000', '١'],
  ...[999, 1_000, 1_000.5, 86_400_000, 86_400_001, 'a\nb', ['sim-echo', ''], [1]],
  ...[[], {}, [[]], [{}], ['a'], ['x', 'x'], Array(9).fill('x'), Array(129).fill(tools[0])],
  ...[[tools[0], tools[0]], { name: 'other' }, { type: 'object' }, [call, call], [image]],
];

type Path = readonly (string | number)[];

/** Every place in a value, except within schemas and inputs, which can be any JSON. */
function placesIn(value: unknown, path: Path = []): readonly Path[] {
  const isAny = ['input', 'inputSchema', 'schema'].includes(String(path.at(-1)));
  if (typeof value !== 'object' || value === null || isAny) return [path];
  return [path, ...Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))];
}

function changed(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const copy: unknown = structuredClone(value);
  if (typeof copy !== 'object' || copy === null) return copy;
  const inner = changed(Reflect.get(copy, key), rest, change);
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, inner);
  // A hole in a list is not JSON.
  return Array.isArray(copy) ? copy.filter((entry) => entry !== undefined) : copy;
}

/** A body with a few changes: fields replaced, omitted, or added. */
function mutationsOf(body: object): fc.Arbitrary<unknown> {
  const change = fc.oneof(
    fc.constantFrom(...odd).map((value) => () => value),
    fc.constant(() => undefined),
    fc.constant((old: unknown) =>
      typeof old === 'object' && old !== null && !Array.isArray(old) ? { ...old, extra: 1 } : old,
    ),
  );
  const places = placesIn(body).slice(1);
  const one = fc.tuple(fc.constantFrom(...places), change);
  return fc
    .array(one, { minLength: 0, maxLength: 2 })
    .map((changes) => changes.reduce<unknown>((now, [path, run]) => changed(now, path, run), body));
}

/** The INVALID message of the fake; undefined if it accepts the request. */
async function refusalOfFake(
  method: 'chat' | 'object' | 'agent' | 'createRun',
  body: unknown,
): Promise<string | undefined> {
  const fake = createFakeClient([method === 'createRun' ? { run: {} } : { body: { id: 'any' } }]);
  const error: unknown = await Reflect.apply(fake[method], undefined, [body]).catch(
    (thrown: unknown) => thrown,
  );
  // The client itself rejects a value that is not a schema.
  const isRefused = error instanceof FakeScriptError || error instanceof TypeError;
  return isRefused ? error.message : undefined;
}

/** The client wraps a schema that is not an object in a field. */
function isWrapped(body: unknown): boolean {
  const { schema } = Object(body);
  const isData = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  return isData && schema.type !== 'object';
}

test.each([
  { method: 'chat', path: '/v1/chat', body: chat },
  { method: 'object', path: '/v1/objects', body: object },
  { method: 'agent', path: '/v1/agents/run', body: turn },
  { method: 'createRun', path: '/v1/runs', body: run },
] as const)('the fake client rejects the same as $path', async ({ method, path, body }) => {
  const seen = { taken: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(mutationsOf(body), async (mutated) => {
      fc.pre(!isWrapped(mutated));
      const answer = await stack.post('search', path, mutated);
      const { error } = Object(await answer.json());
      // Only the service has the list of models that accept images.
      const isInvalid =
        error?.code === 'INVALID' && !error.message.includes('does not accept images');
      seen[isInvalid ? 'refused' : 'taken'] += 1;
      const refusal = await refusalOfFake(method, mutated);
      const said = { service: isInvalid ? error.message : undefined, fake: refusal };
      expect(refusal !== undefined, JSON.stringify(said)).toBe(isInvalid);
    }),
    { numRuns: 400 },
  );
  // Both cases occurred.
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(20);
});

test('both count an emoji as one character', async () => {
  for (const [count, isTaken] of [[128, true] as const, [129, false] as const]) {
    const body = { ...chat, userId: '😀'.repeat(count) };
    expect((await refusalOfFake('chat', body)) === undefined).toBe(isTaken);
    expect((await stack.post('search', '/v1/chat', body)).status).toBe(isTaken ? 200 : 400);
  }
});
