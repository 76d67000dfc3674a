import { expect, onTestFinished, test } from 'vitest';
import type { AnyRoute } from '../../src/admin-api/routes/route.ts';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { makeRun } from '../runs/run-stack.ts';
import { pairwise } from '../support/pairs.ts';
import { openStack } from '../support/stack.ts';
import { appAxis, type Case } from './support/app-axis.ts';
import { consoleOf } from './support/console-of.ts';
import { describeRoutes, limitedRoutes, titleOf } from './support/matrix-table.ts';

const routes = await loadRoutes();

describeRoutes(pairwise);

test('the table of apps has every route that a login limited to apps can use', () => {
  expect(Object.keys(appAxis).toSorted()).toEqual(limitedRoutes.map(titleOf).toSorted());
});

test('the table of apps agrees with each route’s declaration', () => {
  for (const route of limitedRoutes) {
    const cases = (appAxis[titleOf(route)] ?? []).map(({ apps }) => apps);
    const { every, some } = expectedCases(route);
    const wrong = cases.filter((one) => !every.includes(one));
    const absent = some.filter((one) => !cases.includes(one));
    expect([titleOf(route), wrong, absent]).toEqual([titleOf(route), [], []]);
  }
});

test('a route that names an app declares its place', () => {
  for (const route of routes) {
    const { apps, path, query, body } = route;
    if (path.includes('/:app')) expect([titleOf(route), apps]).toEqual([titleOf(route), inPath]);
    const isNamed = [query, body].some((schema) => 'app' in Object(Object(schema).properties));
    if (isNamed) expect([titleOf(route), apps]).not.toEqual([titleOf(route), 'none']);
    const { required = [] } = Object(body);
    if (required.includes('app')) {
      expect([titleOf(route), apps]).toEqual([titleOf(route), { named: 'body' }]);
    }
  }
});

test('a limited login of any role is rejected before the body is read', async () => {
  const stack = await openStack();
  onTestFinished(() => stack.close());
  const { runId } = await makeRun(stack, 'tutor');
  const ask = consoleOf(stack)('operator', { apps: ['search'] });
  const passed: string[] = [];
  for (const route of routes.filter(isDecidedByAddress)) {
    const path = route.path.replace('/admin/v1', '').replace(':app', 'tutor');
    const { status, body } = await ask(`${route.method} ${path.replace(':id', runId)}`);
    const code = route.apps === 'all' ? 'FORBIDDEN' : 'NOT_FOUND';
    if (body.error?.code !== code) passed.push(`${titleOf(route)}: ${status}`);
  }
  expect(passed).toEqual([]);
  const reason = 'a test';
  const ended = await ask(`POST /runs/${(await makeRun(stack, 'search')).runId}/end`, { reason });
  expect(ended.status).toBe(200);
});

test('no route is listed twice', () => {
  expect(new Set(routes.map(titleOf)).size).toBe(routes.length);
});

function isDecidedByAddress({ apps }: AnyRoute): boolean {
  if (typeof apps === 'string') return apps === 'all';
  return 'of' in apps || ('named' in apps && apps.named === 'path');
}

const inPath = { named: 'path' };

interface ExpectedCases {
  /** Each case has one of these values. */
  readonly every: readonly Case['apps'][];
  /** Each of these values has a case. */
  readonly some: readonly Case['apps'][];
}

/** The cases that a route must have, by its declaration of apps. */
function expectedCases({ apps, path }: AnyRoute): ExpectedCases {
  if (apps === 'none') return { every: ['none', 'one'], some: [] };
  if (apps === 'all') return { every: ['all'], some: ['all'] };
  if (apps === 'own') return { every: ['rows', 'one', ...noRows(path)], some: [] };
  if ('byKind' in apps) return { every: ['one', 'all'], some: ['one', 'all'] };
  if ('of' in apps || apps.named === 'path') return { every: ['one'], some: ['one'] };
  return { every: ['one', 'all'], some: ['one', 'all'] };
}

/** Routes whose rows have no name. They have their own tests. */
function noRows(path: string): readonly Case['apps'][] {
  return path.endsWith('/events') || path.endsWith('/models/check') ? ['none'] : [];
}
