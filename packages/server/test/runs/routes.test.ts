import { expect, test } from 'vitest';
import { send } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml } from '../support/stack.ts';
import { askRuns, makeRun, minute } from './run-stack.ts';

const unspent = { maxCostUsd: '1', spentUsd: '0', heldUsd: '0', remainingUsd: '1' };
const expiresAt = '2026-11-21T12:01:00.000Z';

test(
  'a run is created, shown and ended with the key of its app',
  onStack(async (stack) => {
    const made = await askRuns(stack, 'search', { method: 'POST', body: minute });
    expect(made.status).toBe(201);
    const { runId, key, ...rest } = Object(made.body);
    expect(rest).toEqual({ ...unspent, expiresAt });
    expect(key).toMatch(/^mgr_\w{20,}$/);
    expect(made.headers.get('cache-control')).toBe('no-store');

    const shown = await askRuns(stack, 'search', { id: runId });
    expect(shown).toMatchObject({ status: 200 });
    expect(shown.body).toEqual({ runId, ...unspent, expiresAt, endedAt: null });

    await stack.clock.advance(1_000);
    for (let times = 0; times < 2; times++) {
      const ended = await askRuns(stack, 'search', { method: 'DELETE', id: runId });
      expect(ended).toMatchObject({ status: 200 });
      expect(ended.body).toEqual({
        ...{ runId, ...unspent, expiresAt, endedAt: expect.stringMatching(/^2026-11-21T12:00:/) },
      });
      await stack.clock.advance(1_000);
    }
    const lines = stack.logLines.filter(({ message }) => message === 'answered');
    const path = '/v1/runs/:runId';
    expect(lines.map(({ fields: { method, path, status } }) => [method, path, status])).toEqual([
      ...[
        ['POST', '/v1/runs', 201],
        ['GET', path, 200],
      ],
      ...[
        ['DELETE', path, 200],
        ['DELETE', path, 200],
      ],
    ]);
    expect(JSON.stringify(stack.logLines)).not.toContain(key);
  }),
);

test(
  'a run contains its restrictions',
  onStack(async (stack) => {
    const narrowed = { models: ['sim-echo'], userId: 'ada', label: 'nightly — Nº 7' };
    const { runId } = await makeRun(stack, 'search', narrowed);
    const { body } = await askRuns(stack, 'search', { id: runId });
    expect(body).toMatchObject({ ...narrowed, runId });
  }),
);

test(
  'a run that does not exist, or of another app, is not found',
  onStack(async (stack) => {
    const { runId } = await makeRun(stack, 'tutor');
    for (const id of [runId, 'run_nothing', 'a%20b', `${'x'.repeat(300)}`]) {
      for (const method of ['GET', 'DELETE'] as const) {
        const exchange = await askRuns(stack, 'search', { method, id });
        expectError(exchange, {
          status: 404,
          code: 'NOT_FOUND',
          says: ['The app search has no run'],
        });
      }
    }
    const broken = await askRuns(stack, 'search', { id: '%zz' });
    expectError(broken, { status: 400, code: 'INVALID', says: ['not a valid UTF-8 escape'] });
    expect(await askRuns(stack, 'tutor', { id: runId })).toMatchObject({ body: { endedAt: null } });
  }),
);

const limits = 'from 1000 to 86400000';
const bad = [
  { body: {}, says: 'maxCostUsd is missing' },
  { body: { maxCostUsd: '1' }, says: 'expiresInMs is missing' },
  { body: { ...minute, maxCostUsd: 1 }, says: 'maxCostUsd must be a string; it is 1' },
  ...['0', '0.00', '-1', '1e3', ' 1', '1.', '.5', '', '1000000', '0.0000000000001', '١'].map(
    (maxCostUsd) => ({ body: { ...minute, maxCostUsd }, says: JSON.stringify(maxCostUsd) }),
  ),
  { body: { ...minute, expiresInMs: 999 }, says: `expiresInMs must be a whole number ${limits}` },
  { body: { ...minute, expiresInMs: 86_400_001 }, says: 'it is 86400001' },
  { body: { ...minute, expiresInMs: 1_000.5 }, says: 'it is 1000.5' },
  { body: { ...minute, expiresInMs: '60000' }, says: 'it is "60000"' },
  { body: { ...minute, models: [] }, says: 'models needs at least 1 entry' },
  { body: { ...minute, models: 'sim-echo' }, says: 'models must be a list' },
  { body: { ...minute, models: ['sim-echo', ''] }, says: 'models[1] must not be empty' },
  { body: { ...minute, models: Array(129).fill('m') }, says: 'models takes at most 128 entries' },
  { body: { ...minute, models: ['sim-echo', 'sim-slow'] }, says: 'models[1] is "sim-slow"' },
  ...['', '.', '..', 'a/b', 'a\u0000b', 'u'.repeat(129)].map((userId) => ({
    body: { ...minute, userId },
    says: 'userId',
  })),
  { body: { ...minute, userId: 7 }, says: 'userId must be a string; it is 7' },
  { body: { ...minute, label: '' }, says: 'label must not be empty' },
  { body: { ...minute, label: 'a\nb' }, says: 'label must be text without control characters' },
  { body: { ...minute, label: 'l'.repeat(129) }, says: 'label takes at most 128 characters' },
  { body: { ...minute, name: 'x' }, says: 'name is an unknown field' },
  { body: [], says: 'must be an object; it is a list' },
];

test(
  'bad input is INVALID, with the field and the value',
  onStack(
    async (stack) => {
      for (const { body, says } of bad) {
        const exchange = await askRuns(stack, 'picky', { method: 'POST', body });
        expect(exchange, JSON.stringify(body)).toMatchObject({ status: 400 });
        expectError(exchange, { status: 400, code: 'INVALID', says: [says] });
      }
      for (const maxCostUsd of ['0.000000000001', '999999.999999999999', '007']) {
        await makeRun(stack, 'picky', { maxCostUsd, expiresInMs: 86_400_000 });
      }
    },
    { yaml: `${defaultYaml}  - { name: picky, models: [sim-echo] }\n` },
  ),
);

test(
  'the checks come in the order of every route',
  onStack(async (stack) => {
    const headers = { 'x-api-key': await stack.key('search') };
    const key = { 'idempotency-key': ' ' };
    const body = JSON.stringify(minute);
    expectGateway(await send(stack, '/v1/runs', { method: 'POST', body }), 'FORBIDDEN');
    const plain = await send(stack, '/v1/runs', { method: 'POST', headers, body });
    expectError(plain, { status: 400, code: 'INVALID', says: ['content-type'] });
    const malformed = await askRuns(stack, 'search', { method: 'POST', body: {}, headers: key });
    expectError(malformed, { status: 400, code: 'INVALID', says: ['idempotency-key'] });
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
      expect(await send(stack, '/v1/runs', { method, headers })).toMatchObject({ status: 404 });
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'HEAD']) {
      expect(await send(stack, '/v1/runs/run_a', { method, headers })).toMatchObject({
        status: 404,
      });
    }
    expect(await send(stack, '/v1/runs/', { headers })).toMatchObject({ status: 404 });
    expect(await send(stack, '/v1/runs/a/b', { headers })).toMatchObject({ status: 404 });
  }),
);

test(
  'a run sees itself, and neither creates nor ends nor sees another',
  onStack(async (stack) => {
    const { runId, key } = await makeRun(stack, 'search');
    const other = await makeRun(stack, 'search');
    const app = await stack.key('search');
    for (const headers of [
      { 'x-api-key': key },
      { 'x-api-key': key, 'x-run-id': runId },
      { 'x-api-key': app, 'x-run-id': runId },
    ]) {
      expect(await askRuns(stack, 'search', { id: runId, headers })).toMatchObject({ status: 200 });
      const refused = [
        { method: 'POST', body: minute },
        { method: 'DELETE', id: runId },
        { id: other.runId },
        { id: 'run_nothing' },
      ] as const;
      for (const asked of refused) {
        expectGateway(await askRuns(stack, 'search', { ...asked, headers }), 'FORBIDDEN');
      }
    }
    await askRuns(stack, 'search', { method: 'DELETE', id: runId });
    await stack.clock.advance(1_000);
    const headers = { 'x-api-key': key };
    expectGateway(await askRuns(stack, 'search', { id: runId, headers }), 'FORBIDDEN');
    expect(await askRuns(stack, 'search', { id: runId })).toMatchObject({ status: 200 });
  }),
);
