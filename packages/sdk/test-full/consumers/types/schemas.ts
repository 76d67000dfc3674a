// Compiled by the tests, not run: the types that libraries' schemas determine.
import { type AgentTool, createClient, type SchemaOutput, tool } from '@model-gateway/sdk';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { assertSame } from './same.js';

const client = createClient({ baseUrl: 'https://a.test/v1', apiKey: 'k' });
const request = {
  model: 'm',
  maxTokens: 9,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

const zodSchema = z.object({
  city: z.string(),
  days: z.array(z.number()).optional(),
  at: z.string().transform((text) => new Date(text)),
});
const valibotSchema = toStandardJsonSchema(
  v.object({ city: v.string(), days: v.optional(v.array(v.number())) }),
);
const arktypeSchema = type({ city: 'string', 'days?': 'number[]' });

export async function objects(): Promise<void> {
  const ofZod = (await client.object({ ...request, schema: zodSchema })).object;
  assertSame<typeof ofZod, z.output<typeof zodSchema>>(true);
  assertSame<(typeof ofZod)['at'], Date>(true);

  const ofValibot = (await client.object({ ...request, schema: valibotSchema })).object;
  assertSame<typeof ofValibot, { city: string; days?: number[] | undefined }>(true);

  const ofArktype = (await client.object({ ...request, schema: arktypeSchema })).object;
  assertSame<typeof ofArktype, { city: string; days?: number[] }>(true);
  assertSame<SchemaOutput<typeof arktypeSchema>, typeof ofArktype>(true);

  // @ts-expect-error the schema has a city and no town
  ofZod.town;
  // @ts-expect-error zod/mini cannot describe itself
  await client.object({ ...request, schema: mini.object({ city: mini.string() }) });
  // @ts-expect-error bare valibot cannot describe itself
  await client.object({ ...request, schema: v.object({ city: v.string() }) });
  // @ts-expect-error a stated type must equal the type of the schema
  await client.object<{ town: string }>({ ...request, schema: zodSchema });
}

/** The result of `z.toJSONSchema` describes itself, and is the only way for zod/mini. */
export async function described(): Promise<void> {
  const schema = z.toJSONSchema(z.object({ city: z.string() }));
  const inferred = (await client.object({ ...request, schema })).object;
  assertSame<typeof inferred, { city: string }>(true);
  const given = (await client.object<{ city: string }>({ ...request, schema })).object;
  assertSame<typeof given, { city: string }>(true);
  await client.object<{ city: string }>({ ...request, schema: zodSchema });
  const miniSchema = z.toJSONSchema(mini.object({ city: mini.string() }));
  await client.object<{ city: string }>({ ...request, schema: miniSchema });
  tool<{ city: string }>({ name: 'a', input: miniSchema, execute: ({ city }) => city });
  // @ts-expect-error the schema has a city and no town
  await client.object<{ town: string }>({ ...request, schema });
  // @ts-expect-error the schema has a city and no town
  tool<{ town: string }>({ name: 'a', input: schema, execute: ({ town }) => town });
}

/** A user's own wrapper stays generic. */
export async function ask<T>(schema: z.ZodType<T>): Promise<T> {
  return (await client.object({ ...request, schema })).object;
}

const ofZod = tool({
  name: 'zod',
  input: zodSchema,
  execute: ({ city, days, at }) => {
    assertSame<typeof city, string>(true);
    assertSame<typeof days, number[] | undefined>(true);
    return at.getTime();
  },
});
const ofValibot = tool({
  name: 'valibot',
  input: valibotSchema,
  execute: async ({ days = [] }) => days.length,
});
const ofArktype = tool({
  name: 'arktype',
  input: arktypeSchema,
  execute: (input, { signal }) => signal.aborted || input.city,
});
const ofJson = tool<{ side: number }>({ name: 'json', input: {}, execute: ({ side }) => side });
export const tools: readonly AgentTool[] = [ofZod, ofValibot, ofArktype, ofJson];

tool({
  name: 'a',
  input: arktypeSchema,
  // @ts-expect-error its input has no such field
  execute: ({ town }) => town,
});
// @ts-expect-error its input has another type
tool({ name: 'a', input: zodSchema, execute: ({ city }: { city: number }) => city });
// @ts-expect-error bare valibot cannot describe itself
tool({ name: 'a', input: v.object({ city: v.string() }), execute: () => 1 });
