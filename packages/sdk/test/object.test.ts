import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LlmError } from '../src/index.ts';
import { bodyOf } from './agent-script.ts';
import { chatRequest, failure, openScripted } from './scripted-client.ts';
import { answer } from './scripted-fetch.ts';

/** The gateway's response to an object call. */
function objectAnswer(object: unknown) {
  const ids = { id: 'call-1', model: 'my-model', requestId: 'platform-1' };
  return answer(200, { ...ids, object, usage: {}, cost: { usd: '0.1', estimated: false } });
}

const described = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const libraries = [
  { name: 'zod', schema: z.object({ city: z.string() }) },
  { name: 'arktype, whose schemas are functions', schema: type({ city: 'string' }) },
  { name: 'valibot, wrapped', schema: toStandardJsonSchema(v.object({ city: v.string() })) },
] as const;

describe('an object by the schema of a library', () => {
  for (const { name, schema } of libraries) {
    test(`${name}: is requested with its draft-07 description`, async () => {
      const { client, runtime, script } = openScripted([objectAnswer({ city: 'Oslo' })]);
      const request = { ...chatRequest, schema, schemaName: 'place' };
      const settled = await runtime.settle<unknown>(client.object(request));
      expect(settled).toMatchObject({ answer: { id: 'call-1', object: { city: 'Oslo' } } });
      const sent = { ...chatRequest, schemaName: 'place', schema: described };
      expect(bodyOf(script.seen[0])).toEqual(sent);
    });

    test(`${name}: a mismatch is BAD_OUTPUT with status 200, not retried`, async () => {
      const { client, runtime, script } = openScripted([objectAnswer({ city: 7 })]);
      const call = client.object({ ...chatRequest, schema }, { idempotencyKey: 'K' });
      const error = failure(await runtime.settle<unknown>(call));
      expect(error).toMatchObject({
        status: 200,
        code: 'BAD_OUTPUT',
        attempts: 1,
        requestId: 'platform-1',
        model: 'my-model',
        idempotencyKey: 'K',
        cause: [{ path: 'city', message: expect.any(String) }],
      });
      expect(error.message).toContain('at city');
      expect(script.seen).toHaveLength(1);
    });
  }

  test('is the output of the schema: defaults and transforms are applied', async () => {
    const schema = z.object({
      days: z.number().default(3),
      at: z.string().transform((text) => text.length),
    });
    const { client, runtime } = openScripted([objectAnswer({ at: 'noon' })]);
    const settled = await runtime.settle(client.object({ ...chatRequest, schema }));
    expect(settled).toMatchObject({ answer: { object: { days: 3, at: 4 } } });
  });

  test('is awaited if the schema is asynchronous', async () => {
    const schema = z.object({ city: z.string().refine(async (city) => city === 'Oslo') });
    const { client, runtime } = openScripted([objectAnswer({ city: 'Rome' })]);
    const call = client.object({ ...chatRequest, schema });
    expect(failure(await runtime.settle<unknown>(call))).toMatchObject({ code: 'BAD_OUTPUT' });
  });

  test('is within the time limit of the call, whatever the schema waits for', async () => {
    const schema = z.object({}).refine(() => new Promise<boolean>(() => {}));
    const { client, runtime } = openScripted([objectAnswer({})]);
    const call = client.object({ ...chatRequest, schema }, { timeoutMs: 800 });
    const error = failure(await runtime.settle<unknown>(call));
    expect(error).toMatchObject({ code: 'TIMEOUT', status: 0, attempts: 1 });
    expect(runtime.timers()).toBe(0);
  });

  test('whose schema throws is BAD_OUTPUT, with the exception as the cause', async () => {
    const cause = new Error('the database is away');
    const schema = z.object({}).refine(() => {
      throw cause;
    });
    const { client, runtime } = openScripted([objectAnswer({})]);
    const error = failure(await runtime.settle<unknown>(client.object({ ...chatRequest, schema })));
    expect(error).toMatchObject({ code: 'BAD_OUTPUT', status: 200 });
    expect(error.cause).toBe(cause);
  });

  test('names the first mismatches, and never the model’s output', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `field${index}`);
    const schema = type(Object.fromEntries(names.map((name) => [name, 'number'] as const)));
    const written = Object.fromEntries(names.map((name) => [name, 'private words']));
    const { client, runtime } = openScripted([objectAnswer(written)]);
    const error = failure(await runtime.settle<unknown>(client.object({ ...chatRequest, schema })));
    expect(error.message).toContain('field0, field1, field2, field3, field4 and 3 more');
    expect(error.message).not.toContain('private');
  });
});

describe('an object by plain JSON Schema', () => {
  test('is requested with the unchanged schema, and returned unchanged', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, 'x-own': 1 };
    const { client, runtime, script } = openScripted([objectAnswer({ city: 7 })]);
    const settled = await runtime.settle(
      client.object<{ city: string }>({ ...chatRequest, schema }),
    );
    expect(settled).toMatchObject({ answer: { object: { city: 7 } } });
    expect(bodyOf(script.seen[0])).toEqual({ ...chatRequest, schema });
  });
});

describe('a schema that cannot be described is a TypeError at once, with the correction', () => {
  const standard = (vendor: string) => ({
    '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }) },
  });
  class OldSchema {
    readonly shape = {};
  }
  const describedAlone = (vendor: string) => ({
    '~standard': { version: 1, vendor, jsonSchema: { input: () => ({ type: 'object' }) } },
  });
  const wrapTwice = /Schema\.toStandardJSONSchemaV1\(Schema\.toStandardSchemaV1\(schema\)\)/;
  const rows = [
    { name: 'valibot, bare', schema: v.object({}), cure: /wrap it: toStandardJsonSchema\(/ },
    { name: 'an old zod', schema: standard('zod'), cure: /use zod 4.2 or later/ },
    { name: 'an old arktype', schema: standard('arktype'), cure: /arktype 2.1.28 or later/ },
    { name: 'effect, wrapped once', schema: standard('effect'), cure: wrapTwice },
    { name: 'effect, the other way', schema: describedAlone('effect'), cure: wrapTwice },
    { name: 'another library', schema: standard('yup'), cure: /a version of yup that describes/ },
    {
      name: 'one that only describes',
      schema: describedAlone('yup'),
      cure: /describes and validates/,
    },
    {
      name: 'a class of no standard',
      schema: new OldSchema(),
      cure: /zod 4.2 or later, .*arktype 2.1.28/,
    },
    { name: 'no schema', schema: undefined, cure: /must be JSON Schema as plain data/ },
    { name: 'a text', schema: '{"type":"object"}', cure: /must be JSON Schema as plain data/ },
    { name: 'a list', schema: [], cure: /must be JSON Schema as plain data/ },
    {
      name: 'a date',
      schema: z.object({ at: z.date() }),
      cure: /Date cannot be .* a date by a string/,
    },
  ];
  for (const { name, schema, cure } of rows) {
    test(name, async () => {
      const { client, script } = openScripted([objectAnswer({})]);
      const call: unknown = Reflect.apply(client.object, undefined, [{ ...chatRequest, schema }]);
      await expect(call).rejects.toThrow(cure);
      await expect(call).rejects.toBeInstanceOf(TypeError);
      await expect(call).rejects.not.toBeInstanceOf(LlmError);
      expect(script.seen).toHaveLength(0);
    });
  }
});
