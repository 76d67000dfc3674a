import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asTold, objectOf, sendInRealTime, told } from '../../packages/server/test/objects/ask.ts';
import { openStack } from '../../packages/server/test/support/stack.ts';

const drafts = {
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** The results of the suite's cases. */
export interface SuiteResult {
  readonly right: number;
  /** Schemas that are INVALID here, before any reservation. */
  readonly rejected: number;
  readonly wrong: readonly string[];
}

/** So many apps, since an app has ten seconds of schemas a minute. */
const apps = Array.from({ length: 60 }, (_, at) => `suite-${at}`);
const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
apps: [${apps.map((name) => `{ name: ${name}, dailyBudgetUsd: "50" }`).join(', ')}]
`;

interface Case {
  readonly name: string;
  readonly schema: object;
  readonly data: unknown;
  readonly isValid: boolean;
}

/** Sends every case of the suite through `POST /v1/objects`, as a property of an object. */
export async function runSuite(folder: string): Promise<SuiteResult> {
  const stack = await openStack({ yaml, script: asTold });
  let [right, rejected] = [0, 0];
  const wrong: string[] = [];
  for (const [at, one] of (await casesIn(folder)).entries()) {
    const text = JSON.stringify({ value: one.data });
    const more = { ...told({ text }), schema: one.schema, maxTokens: 16_384 };
    const request = objectOf('sim-echo', more);
    const answer = await sendInRealTime(stack, '/v1/objects', request, apps[at % apps.length]);
    const code = JSON.parse(answer.text).error?.code ?? 'OK';
    if (code === 'INVALID') rejected += 1;
    else if (code === (one.isValid ? 'OK' : 'BAD_OUTPUT')) right += 1;
    else wrong.push(`${one.name}: ${code}`);
  }
  await stack.close();
  return { right, rejected, wrong };
}

async function casesIn(folder: string): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (const [draft, id] of Object.entries(drafts)) {
    const names = await readdir(join(folder, draft));
    for (const file of names.filter((name) => name.endsWith('.json'))) {
      for (const group of JSON.parse(await readFile(join(folder, draft, file), 'utf8'))) {
        const schema = asProperty(group.schema, id);
        for (const { data, valid, description } of group.tests) {
          const name = `${draft}/${file}: ${group.description}: ${description}`;
          cases.push({ name, schema, data, isValid: valid === true });
        }
      }
    }
  }
  return cases;
}

/** The schema of an object with one property; its references have moved with it. */
function asProperty(schema: unknown, usual: string): object {
  const { $schema = usual, $id } = Object(schema);
  const moved = $id === undefined ? move(schema) : schema;
  return { $schema, type: 'object', required: ['value'], properties: { value: moved } };
}

function move(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(move);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === 'enum' || name === 'const') return [name, value];
      const isReference = name === '$ref' || name === '$dynamicRef';
      if (!isReference || typeof value !== 'string' || !/^#(\/|$)/.test(value)) {
        return [name, move(value)];
      }
      return [name, `#/properties/value${value.slice(1)}`];
    }),
  );
}
