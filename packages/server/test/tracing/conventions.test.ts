import { readdirSync, readFileSync } from 'node:fs';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { expect, test } from 'vitest';

const folder = new URL('../../src/tracing/', import.meta.url);
const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'));
const document = readFileSync(new URL('../../../../docs/tracing.md', import.meta.url), 'utf8');

/** The names of attributes in the sources. */
const names = new Set(
  sources.flatMap((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return [
      ...text.matchAll(/'((?:gen_ai|http|url|server|error|service|model_gateway)\.[\w.]+)'/g),
    ].map(([, found = '']) => found);
  }),
);

test('attributes have the names of the conventions, or begin with ours', () => {
  const known = new Set(Object.values(conventions).map(String));
  // Other tools read it; the conventions have no attribute for money.
  known.add('gen_ai.usage.cost');
  expect(names.size).toBeGreaterThan(25);
  const odd = [...names].filter((name) => !known.has(name) && !name.startsWith('model_gateway.'));
  expect(odd).toEqual([]);
});

test('docs/tracing.md has them all', () => {
  const told = [...names].filter((name) => !name.startsWith('service.'));
  expect(told.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
});
