import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { adminOpenApi } from '../../src/admin-api/routes/openapi-document.ts';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { readVersion } from '../../src/version.ts';
import { askConsole, openConsole } from '../support/console.ts';
import { onStack } from '../support/on-stack.ts';

const routes = await loadRoutes();

const document = JSON.parse(JSON.stringify(adminOpenApi(routes, readVersion())));
const operations: readonly (readonly [string, Operation])[] = Object.entries(
  document.paths,
).flatMap(([path, item]) =>
  Object.entries(Object(item)).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    Object(operation),
  ]),
);

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: object;
  }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

describe('/admin/openapi.json', () => {
  test(
    'is available without a login',
    onStack(async (stack) => {
      const { status, body } = await askConsole(stack)('/admin/openapi.json');
      expect(status).toBe(200);
      expect(body.info.version).toBe('0.0.0-test');
      expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths));
    }),
  );

  test('has every route once, with its parameters', () => {
    const named = routes.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(operations.map(([name]) => name).toSorted()).toEqual(named.toSorted());
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, { parameters }] of operations) {
      const inPath = parameters
        .filter((each) => each.in === 'path')
        .map((each) => `{${each.name}}`);
      expect([name, inPath]).toEqual([name, name.match(/\{\w+\}/g) ?? []]);
    }
  });

  test('has schemas that compile, and no broken references', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false });
    ajv.addKeyword('x-roles');
    for (const [name, { parameters, requestBody, responses }] of operations) {
      for (const { schema } of parameters) expect(() => ajv.compile(schema), name).not.toThrow();
      const contents = [requestBody, ...Object.values(responses)].flatMap((each) =>
        Object.values(Object(Object(each).content)),
      );
      for (const content of contents) {
        expect(() => ajv.compile(Object(content).schema), name).not.toThrow();
      }
    }
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const parts = reference.slice(3, -1).split('/');
      const found = parts.reduce((part, key) => Object(part)[key], document);
      expect(found, reference).toBeDefined();
    }
  });

  test(
    'describes every rejection, and the routes that return it',
    onStack(async (stack) => {
      const ajv = new Ajv2020();
      const isError = ajv.compile(document.components.schemas.Error);
      const { ask } = await openConsole(stack, { role: 'viewer' });
      const operator = await openConsole(stack, { role: 'operator' });
      const refusals = [
        ['GET /admin/v1/apps', await askConsole(stack)('/admin/v1/apps')],
        ['GET /admin/v1/tokens', await ask('/admin/v1/tokens')],
        ['GET /admin/v1/apps/{app}', await ask('/admin/v1/apps/none')],
        ['GET /admin/v1/calls', await ask('/admin/v1/calls?limit=0')],
        ['GET /admin/v1/apps', await ask('/admin/v1/apps', { headers: { host: 'evil.example' } })],
        [
          'POST /admin/v1/tokens',
          await operator.ask('/admin/v1/tokens', { method: 'POST', body: { name: 'x' } }),
        ],
        [
          'PATCH /admin/v1/apps/{app}',
          await operator.ask('/admin/v1/apps/search', {
            ...{ method: 'PATCH', headers: { 'if-match': '"x"' } },
            body: { reason: 'test', dailyBudgetUsd: '6' },
          }),
        ],
      ] as const;
      for (const [name, { status, body }] of refusals) {
        expect([name, status, isError(body), ajv.errors]).toEqual([name, status, true, ajv.errors]);
        expect(status).toBeGreaterThanOrEqual(400);
        const [, operation] = operations.find(([known]) => known === name) ?? [];
        expect([name, Object.keys(operation?.responses ?? {})]).toEqual([
          name,
          expect.arrayContaining([String(status)]),
        ]);
      }
    }),
  );
});
