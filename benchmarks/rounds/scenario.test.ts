import { expect, test } from 'vitest';
import { sides } from '../sides/all.ts';
import { allScenarios, quickScenarios } from './scenario.ts';

test('the table holds each number of connections with each prompt, and every special case', () => {
  expect(allScenarios.map(({ name }) => name)).toEqual([
    ...[1, 32, 256].flatMap((connections) =>
      ['short', '8 kB', '100 kB'].map((prompt) => `${connections} connections, ${prompt} prompt`),
    ),
    '32 connections, short prompt, idempotency keys',
    '256 connections, short prompt, idempotency keys',
    '32 connections, short prompt, TLS to the upstream',
    '256 connections, short prompt, upstream 200 ms',
    '500/s, short prompt',
    '500/s, short prompt, upstream 200 ms',
  ]);
});

test('every side has its line in the quick run', () => {
  for (const scenario of quickScenarios) {
    expect(sides.filter((side) => side.isIn?.(scenario) === false)).toEqual([]);
  }
});

test('other gateways are measured in the plain scenarios alone', () => {
  const [other] = sides.filter(({ name }) => name.startsWith('Portkey'));
  const found = allScenarios.filter((scenario) => other?.isIn?.(scenario) === true);
  expect(found.map(({ name }) => name)).toEqual([
    '32 connections, short prompt',
    '256 connections, short prompt',
    '500/s, short prompt',
  ]);
});
