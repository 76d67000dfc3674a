import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@model-gateway/contract';
import { createSchemas } from '../../src/json-schema/schemas.ts';
import { silentLog } from '../../src/lib/log.ts';

// The time that each hostile schema blocks the event loop, by the clock and by the thread's CPU
// time, which other processes on the machine do not affect:
//   node packages/server/test/objects/measure-event-loop.ts
interface Case {
  readonly what: string;
  readonly schema: JsonObject;
  readonly value: unknown;
}

const of = (schema: JsonObject): JsonObject => ({ type: 'object', ...schema });
const within = (schema: JsonObject) => of({ properties: { a: schema } });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const properties = (count: number) => {
  const names = times(count, (index) => `p${index}`);
  const all = Object.fromEntries(names.map((name) => [name, { type: 'string', maxLength: 9 }]));
  return of({ properties: all, required: names, additionalProperties: false });
};
const filled = (count: number) => Object.fromEntries(times(count, (index) => [`p${index}`, 'x']));
const node = { $ref: '#/definitions/node' };
const next = (index: number) => ({ $ref: `#/definitions/d${index + 1}` });
const doubling = Object.fromEntries([
  ...times(40, (index) => [`d${index}`, { allOf: [next(index), next(index)] }] as const),
  ['d40', {}] as const,
]);
const failing = times(60, () => ({ type: 'string' }));

const cases: readonly Case[] = [
  { what: 'an ordinary schema, cold', schema: properties(5), value: filled(5) },
  { what: 'the largest inline, cold', schema: properties(63), value: filled(63) },
  { what: '5,000 properties, 250 kB', schema: properties(5_000), value: filled(5_000) },
  {
    what: 'catastrophic pattern',
    schema: within({ pattern: '^(a+)+$' }),
    value: { a: `${'a'.repeat(60)}!` },
  },
  {
    what: 'cubic pattern',
    schema: within({ pattern: 'a*a*a*b' }),
    value: { a: 'a'.repeat(30_000) },
  },
  {
    what: 'pattern that is slow to read',
    schema: within({ pattern: `[${'\\p{L}'.repeat(800)}]` }),
    value: { a: '1' },
  },
  {
    what: '40 patterns that are slow to read',
    schema: within({
      allOf: times(40, (index) => ({ pattern: `[${'\\p{L}'.repeat(800)}${index}]` })),
    }),
    value: { a: '1' },
  },
  {
    what: 'recursion that doubles',
    schema: of({
      ...node,
      definitions: { node: { allOf: times(2, () => ({ properties: { c: node } })) } },
    }),
    value: JSON.parse(`${'{"c":'.repeat(40)}1${'}'.repeat(40)}`),
  },
  {
    what: 'references that double',
    schema: of({ $ref: '#/definitions/d0', definitions: doubling }),
    value: {},
  },
  {
    what: 'references in a circle',
    schema: of({
      allOf: [{ $ref: '#/definitions/a' }],
      definitions: { a: { $ref: '#/definitions/a' } },
    }),
    value: {},
  },
  { what: 'reference to a URL', schema: within({ $ref: 'https://a.test/b' }), value: {} },
  {
    what: '30,000 values by 20,000 items',
    schema: within({ items: { enum: times(30_000, (i) => i) } }),
    value: { a: times(20_000, () => 29_999) },
  },
  { what: '100,000 values', schema: within({ enum: times(100_000, (i) => i) }), value: {} },
  { what: '1 MB', schema: within({ description: 'x'.repeat(1_000_000) }), value: {} },
  {
    what: 'depth 63',
    schema: times(62, (i) => i).reduce<JsonObject>((inner) => of({ not: inner }), {}),
    value: {},
  },
  {
    what: '20,000 objects that differ',
    schema: within({ uniqueItems: true }),
    value: { a: times(20_000, (i) => ({ i })) },
  },
  {
    what: '10,000 schemas of one value',
    schema: of({ allOf: times(10_000, () => ({ minProperties: 0 })) }),
    value: {},
  },
  {
    what: 'the costliest inline check',
    schema: within({ items: { not: { anyOf: failing } } }),
    value: { a: times(2_300, () => 1) },
  },
  {
    what: 'names of every object',
    schema: within({ enum: [{ toString: null }] }),
    value: { a: { toString: null } },
  },
];

const schemas = createSchemas({ log: silentLog });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.stdout.write(`idle for a second: loop ${await during(() => sleep(1_000))}\n`);
for (const { what, schema, value } of cases) {
  let outcome = '';
  const text = JSON.stringify(value);
  const startedMs = performance.now();
  const most = await during(async () => {
    const compiled = await schemas.compile('app', schema);
    outcome = compiled.kind;
    if (compiled.kind !== 'compiled') return;
    const size = { values: countOf(value), characters: text.length };
    outcome = (await compiled.check({ value, text }, size)).kind;
  });
  const tookMs = Math.round(performance.now() - startedMs);
  process.stdout.write(`${what.padEnd(36)}${outcome.padEnd(12)}${tookMs} ms, loop ${most}\n`);
}
await measureOrdinary();
schemas.close();

/** The longest time that the loop was blocked during the work. */
async function during(work: () => Promise<unknown>): Promise<string> {
  delay.reset();
  let last = processorMs();
  let burst = 0;
  const ticks = setInterval(() => {
    const now = processorMs();
    burst = Math.max(burst, now - last);
    last = now;
  }, 1);
  // The first sample after a reset is lost.
  await sleep(20);
  await work();
  await sleep(20);
  clearInterval(ticks);
  return `${(delay.max / 1e6).toFixed(0)} ms, ${burst.toFixed(0)} ms of processor`;
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countOf(item), 1);
}

/** The cost of an ordinary schema for each of its calls, once it is cached. */
async function measureOrdinary() {
  const schema = properties(12);
  const value = filled(12);
  const text = JSON.stringify(value);
  const rounds = 20_000;
  const size = { values: 13, characters: text.length };
  for (const isMeasured of [false, true]) {
    const before = process.threadCpuUsage();
    for (let round = 0; round < rounds; round++) {
      const compiled = await schemas.compile('app', schema);
      if (compiled.kind === 'compiled') await compiled.check({ value, text }, size);
    }
    const { user, system } = process.threadCpuUsage(before);
    const each = ((user + system) / rounds).toFixed(2);
    if (isMeasured) process.stdout.write(`12 properties, known: ${each} µs a call\n`);
  }
}
