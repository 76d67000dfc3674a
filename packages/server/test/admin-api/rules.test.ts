import { expect, test } from 'vitest';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import * as bodies from '../../src/ingress/dialects/gateway/body/schemas.ts';

const routes = await loadRoutes();

/** Each pattern and each rule within a schema, with its path. */
function formsIn(value: unknown, path: string): readonly { path: string; rule: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, each]) => formsIn(each, `${path}.${name}`));
  if (typeof Reflect.get(value, 'pattern') !== 'string') return inner;
  return [{ path, rule: Reflect.get(value, 'rule') }, ...inner];
}

const forms = [
  ...routes.flatMap(({ method, path, query, body, files }) =>
    formsIn({ query, body, files: files?.json }, `${method} ${path}`),
  ),
  ...formsIn(bodies, 'body'),
];

test('every pattern of an input has its rule, as a clause after "must be"', () => {
  expect(forms.length).toBeGreaterThan(100);
  for (const { path, rule } of forms) {
    expect([path, rule]).toEqual([
      path,
      expect.stringMatching(/^(an? |the |one |text |[a-z0-9]|USD )/),
    ]);
    expect([path, rule]).toEqual([path, expect.not.stringMatching(/\.$|^(it|must) /)]);
  }
});
