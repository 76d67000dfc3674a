import { expect, test } from 'vitest';
import { sides } from '../sides/all.ts';
import { allScenarios, quickScenarios } from './scenario.ts';

test('the table has each number of connections with each prompt, and every special case', () => {
  expect(allScenarios.map(({ name }) => name)).toEqual([
    ...[1, 32, 256].flatMap((connections) =>
      ['short', '8 kB', '100 kB'].map((prompt) => `${connections} connections, ${prompt} prompt`),
    ),
    '32 connections, short prompt, idempotency keys',
    '256 connections, short prompt, idempotency keys',
    '32 connections, short prompt, streams of 20 deltas',
    '32 connections, short prompt, embeddings of 1536 numbers',
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

test('other gateways are measured only in the plain scenarios', () => {
  expect(scenariosOf('LiteLLM')).toEqual([
    '32 connections, short prompt',
    '256 connections, short prompt',
    '32 connections, short prompt, streams of 20 deltas',
    '32 connections, short prompt, embeddings of 1536 numbers',
    '500/s, short prompt',
  ]);
  const chats = ['32 connections, short prompt', '256 connections, short prompt'];
  for (const side of ['Portkey', 'Bifrost', 'LiteLLM 1.93.0, budget', 'litellm-rs']) {
    expect(scenariosOf(side)).toEqual([...chats, '500/s, short prompt']);
  }
});

function scenariosOf(side: string): readonly string[] {
  const [other] = sides.filter(({ name }) => name.startsWith(side));
  return allScenarios.flatMap((scenario) => (other?.isIn?.(scenario) ? scenario.name : []));
}
