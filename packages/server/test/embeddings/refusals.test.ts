import { describe, expect, test } from 'vitest';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { budgetOf, embed, embeddingYaml } from './stack.ts';

const yaml = embeddingYaml;

/** Nothing was reserved, and the platform got no request. */
async function expectNothingBooked(stack: Stack) {
  expect(stack.simulator.bill().total.calls).toBe(0);
  const { totals, heldUsd, spentUsd } = await budgetOf(stack);
  expect({ calls: totals.calls, heldUsd, spentUsd }).toEqual({
    ...{ calls: 0, heldUsd: '0', spentUsd: '0' },
  });
}

const long = Array.from({ length: 2_049 }, () => 'x');

describe('a bad body is INVALID, with the place', () => {
  test.each([
    ['no input', { input: undefined }, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['no texts', { input: [] }, 'input'],
    ['an empty text among others', { input: ['a', ''] }, 'input'],
    ['2,049 texts', { input: long }, 'input'],
    ['tokens in the place of texts', { input: [1, 2, 3] }, 'input'],
    ['lists of tokens', { input: [[1, 2], [3]] }, 'input'],
    ['an object', { input: { text: 'a' } }, 'input'],
    ['no dimensions at all', { dimensions: 0 }, 'dimensions'],
    ['half a dimension', { dimensions: 1.5 }, 'dimensions'],
    ['too many dimensions', { dimensions: 8_193 }, 'dimensions'],
    ['an unknown field', { encodingFormat: 'base64' }, 'encodingFormat'],
    ['fields of a chat', { maxTokens: 5 }, 'maxTokens'],
    ['a userId with a slash', { userId: 'a/b' }, 'userId'],
    ['no model', { model: undefined }, 'model'],
    ['a lone surrogate', { input: '\ud800' }, 'input'],
  ])(
    '%s',
    onStack(
      async (stack, _name, body, path) => {
        const response = await embed(stack, body);
        expect(response.status).toBe(400);
        const { error } = Object(await response.json());
        expect(error).toEqual({ code: 'INVALID', message: expect.stringContaining(path) });
        await expectNothingBooked(stack);
      },
      { yaml },
    ),
  );
});

test.each([
  ['/v1/chat', { maxTokens: 5, messages: [{ role: 'user', content: 'Hi' }] }],
  ['/v1/objects', { maxTokens: 5, messages: [{ role: 'user', content: 'Hi' }], schema: object() }],
])(
  'an embedding model on %s is INVALID before any reservation',
  onStack(
    async (stack, path, body) => {
      const response = await stack.post('search', path, { model: 'sim-embed', ...body });
      expect(response.status).toBe(400);
      const { error } = Object(await response.json());
      expect(error).toEqual({
        code: 'INVALID',
        message: expect.stringContaining('sim-embed supports only embeddings'),
      });
      await expectNothingBooked(stack);
    },
    { yaml },
  ),
);

function object() {
  return { type: 'object', properties: {} };
}

test.each(['sim-echo', 'a-model-that-nobody-lists'])(
  '%s has no embeddings, and is rejected before any reservation',
  onStack(
    async (stack, model) => {
      const response = await embed(stack, { model });
      expect(response.status).toBe(400);
      const { error } = Object(await response.json());
      expect(error).toEqual({
        code: 'INVALID',
        message: expect.stringContaining(`${model} does not support embeddings`),
      });
      await expectNothingBooked(stack);
    },
    { yaml },
  ),
);

describe('the order of checks is that of every call', () => {
  test.each([
    ['the model is of the wrong kind before userId is missing', 'tutor', 'sim-echo', 'INVALID'],
    ['userId is missing', 'tutor', 'sim-embed', 'USER_REQUIRED'],
    ['the model is not allowed', 'narrow', 'sim-embed', 'MODEL_NOT_ALLOWED'],
    ['the budget does not cover it', 'poor', 'sim-embed', 'BUDGET_EXCEEDED'],
  ])(
    '%s',
    onStack(
      async (stack, _name, app, model, code) => {
        const response = await embed(stack, { model }, { app });
        expect(await response.json()).toMatchObject({ error: { code } });
        await expectNothingBooked(stack);
      },
      { yaml },
    ),
  );
});

test(
  'a rejection by the budget has an instruction: send less',
  onStack(
    async (stack) => {
      const response = await embed(stack, {}, { app: 'poor' });
      const { error } = Object(await response.json());
      expect(error.message).toMatch(/this call could cost \$0\.00002\d+ \(send less text\)/);
      expect(error.message).not.toContain('maxTokens');
    },
    { yaml },
  ),
);
