import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOpenApi } from '../../src/admin-api/routes/openapi-document.ts';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { isRecord } from '../../src/lib/json-value.ts';
import { hasFormerName } from '../../src/operations/description/former-names.ts';
import { allOperations } from '../../src/operations/nouns.ts';
import { consoleOf, type SendRequest } from '../admin-api/support/console-of.ts';
import type { Desk } from '../cli/support/desk.ts';
import { openStackAndDesk } from '../cli/support/open-stack-and-desk.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

const budgets = 'budgets: [{ name: lab, apps: all, dailyUsd: "5", monthlyUsd: "9" }]\n';

let stack: Stack;
let desk: Desk;
let ask: SendRequest;
let callId: string;
let running: Promise<unknown>;
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(`${defaultYaml}${budgets}`));
  ask = consoleOf(stack)('operator');
  stack.clock.set(Date.UTC(2026, 10, 23, 12, 20));
  const { headers } = await meetChat(stack, 'search', 'sim-echo');
  callId = headers.get('x-call-id') ?? '';
  const client = await stack.client('search');
  running = client.chat(chatOf('sim-slow'));
  await stack.clock.advance(100);
});
afterAll(async () => {
  await stack.clock.run(running);
  await desk.close();
  await stack.close();
});

const prune = { before: '2026-11-01', reason: 'retention', dryRun: true };
const pruneCommand = ['days', 'prune', '--before', '2026-11-01', '--dry-run'];
const forecast = { exhaustedAt: 'usedUpAt', endOfDayUsd: 'byMidnightUsd' };

interface Row {
  readonly was: string;
  readonly name: string;
  /** A request, or the arguments of a command. */
  readonly of: string | readonly string[];
  readonly body?: object;
  /** The path in the document to the object that has the field. */
  readonly at: readonly (string | number)[];
  /** Renamed fields below it, by their current names. */
  readonly below?: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  { was: 'well', name: 'healthy', of: 'GET /overview', at: [] },
  ...[
    { of: 'GET /overview', at: ['apps', 0] },
    { of: 'GET /apps/search', at: [] },
  ].map((place) => ({ ...place, was: 'atThisPace', name: 'forecast', below: forecast })),
  { was: 'sumsUntil', name: 'rollupsUntil', of: 'GET /health', at: ['store'] },
  { was: 'drains', name: 'detachedCalls', of: 'GET /health', at: ['load'] },
  { was: 'addsUp', name: 'matches', of: 'GET /calls/ID', at: [] },
  { was: 'isKept', name: 'isStored', of: 'GET /calls/ID', at: [] },
  ...[
    { of: 'GET /budgets', at: ['items', 0] },
    { of: ['budgets', 'show', 'lab'], at: [0] },
  ].map((place) => ({ ...place, was: 'broughtUsd', name: 'carriedOverUsd' })),
  ...[
    { of: 'POST /days/prune', body: prune, at: ['result'] },
    { of: pruneCommand, at: [] },
  ].map((place) => ({ ...place, was: 'keptFor', name: 'retainedBecause' })),
  ...[0, 1].map(() => {
    return { of: 'POST /reports', body: { kind: 'audit' }, at: [], was: 'place', name: 'position' };
  }),
];

async function documentOf({ of, body }: Row): Promise<unknown> {
  if (typeof of !== 'string') return desk.json(of);
  const reply = await ask(of.replace('ID', callId), body);
  expect(reply.status).toBeLessThan(300);
  return reply.body;
}

function recordAt(document: unknown, at: Row['at']): Readonly<Record<string, unknown>> {
  const found = at.reduce((part, key) => Object(part)[key], document);
  return isRecord(found) ? found : expect.fail(`no object at ${at.join('.')}`);
}

test.each(rows)('$of has $was with the value of $name', async (row) => {
  const { was, name, at, below = {} } = row;
  const record = recordAt(await documentOf(row), at);
  expect(record).toHaveProperty(name);
  expect(record).toHaveProperty(was);
  const current = record[name];
  const former = isRecord(current)
    ? Object.fromEntries(Object.entries(current).map(([key, one]) => [below[key] ?? key, one]))
    : current;
  expect(record[was]).toEqual(former);
});

test('the path of the most expensive calls returns the same as its successor', async () => {
  await meetChat(stack, 'search', 'sim-echo');
  const [old, current] = [await ask('GET /dearest-calls'), await ask('GET /calls?order=cost')];
  expect(old.status).toBe(200);
  expect(old.body.items).toHaveLength(2);
  expect(old.body).toEqual(current.body);
});

test('an operation with a command declares whether its result has former names', async () => {
  for (const { name, commands, hasFormerNames, result } of await allOperations()) {
    const has = commands.length > 0 && hasFormerName(await result());
    expect([name, hasFormerNames ?? false]).toEqual([name, has]);
  }
});

test('OpenAPI marks each former name as a deprecated alias', async () => {
  const { paths } = JSON.parse(JSON.stringify(adminOpenApi(await loadRoutes(), '1.0.0')));
  const found = new Set<string>();
  const look = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(look);
    if (!isRecord(part)) return;
    for (const [key, inner] of Object.entries(part)) {
      if (isRecord(inner) && inner.deprecated === true && key !== 'get') {
        found.add(`${key}: ${inner.description}`);
        expect(inner.was).toBeUndefined();
      }
      look(inner);
    }
  };
  look(paths);
  const aliases = new Set(rows.map(({ was, name }) => `${was}: Deprecated alias of \`${name}\``));
  expect(found).toEqual(aliases);
  expect(paths['/admin/v1/dearest-calls'].get).toMatchObject({
    ...{ deprecated: true, description: 'Deprecated alias of `GET /admin/v1/calls?order=cost`' },
  });
});
