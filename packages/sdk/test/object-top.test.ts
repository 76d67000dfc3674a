import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createFakeClient } from '../src/testing.ts';
import { bodyOf } from './agent-script.ts';
import { chatRequest, failure, openScripted } from './scripted-client.ts';
import { answer } from './scripted-fetch.ts';

const citySchema = z.object({ city: z.string() });
const cost = { usd: '0.1', estimated: false };
const shared = { id: 'call-1', model: 'my-model', requestId: null, usage: {}, cost };

describe('a schema of a non-object', () => {
  test('of a list is sent as one field of an object, and returns the list', async () => {
    const cities = [{ city: 'Oslo' }, { city: 'Ulm' }];
    const { client, runtime, script } = openScripted([
      answer(200, { ...shared, object: { value: cities } }),
    ]);
    const settled = await runtime.settle(
      client.object({ ...chatRequest, schema: z.array(citySchema) }),
    );
    expect(settled).toMatchObject({ answer: { id: 'call-1', object: cities } });
    expect(bodyOf(script.seen[0]).schema).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        value: {
          type: 'array',
          items: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
      required: ['value'],
      additionalProperties: false,
    });
  });

  test('of an enum, a union, a plain schema: typed, streamed, from the fake', async () => {
    const union = z.union([citySchema, z.object({ zip: z.number() })]);
    const client = createFakeClient([
      ...[{ object: 'rainy' }, { object: { zip: 7 } }, { object: [1, 2] }, { object: ['a'] }],
    ]);
    const weather = await client.object({ ...chatRequest, schema: z.enum(['sunny', 'rainy']) });
    const sky: 'sunny' | 'rainy' = weather.object;
    const either = await client.object({ ...chatRequest, schema: union });
    const numbers = await client.object<number[]>({
      ...{ ...chatRequest, schema: { type: 'array', items: { type: 'number' } } },
    });
    const stream = client.objectStream({ ...chatRequest, schema: z.array(z.string()) });
    const streamed = (await stream.final()).object;
    const got = [sky, either.object, numbers.object, streamed];
    expect(got).toEqual(['rainy', { zip: 7 }, [1, 2], ['a']]);
    client.assertDone();
  });

  test('is judged by the schema of the library, and the error has the rejected value', async () => {
    const { client, runtime } = openScripted([answer(200, { ...shared, object: { value: [7] } })]);
    const call = client.object({ ...chatRequest, schema: z.array(z.string()) });
    expect(failure(await runtime.settle<unknown>(call))).toMatchObject({
      ...{ code: 'BAD_OUTPUT', object: [7], cause: [{ path: '0' }] },
    });
  });

  test('keeps its own keywords: references move with it', async () => {
    interface Tree {
      readonly name: string;
      readonly parts: readonly Tree[];
    }
    const tree = {
      $ref: '#/definitions/tree',
      definitions: {
        tree: {
          type: 'object',
          properties: { name: { type: 'string' }, parts: { type: 'array', items: { $ref: '#' } } },
        },
      },
    };
    const object = { name: 'a', parts: [] };
    const client = createFakeClient([{ object }]);
    const made = await client.object<Tree>({ ...chatRequest, schema: tree });
    expect(made.object).toEqual(object);
    const { value } = Object(client.calls[0]?.request.schema).properties;
    expect(value.$ref).toBe('#/properties/value/definitions/tree');
    expect(value.definitions.tree.properties.parts.items.$ref).toBe('#/properties/value');
  });
});
