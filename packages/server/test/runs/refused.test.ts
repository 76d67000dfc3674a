import { expect, test } from 'vitest';
import { openRunsMax } from '../../src/domain/run.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { askRuns, makeRun, minute } from './run-stack.ts';

/** Copies a run of `search`, which stays open, this many times. */
async function copyRun({ store }: Stack, times: number) {
  const sql = `
    insert into run
      (app, id, key_hash, parent_key_id, max_cost, models, user_id, label, created_at, expires_at,
       ended_at)
    with recursive copy (n) as (select 1 union all select n + 1 from copy where n < $1)
    select app, 'run_copy' || n, 'copy' || n, parent_key_id, max_cost, models, user_id, label,
           created_at, expires_at, ended_at
      from run, copy where app = 'search'`;
  await store.write([{ sql, values: [times] }]);
}

const post = { method: 'POST', body: minute } as const;

test(
  'one run above the open runs of an app is the gateway’s 429, until one ends',
  onStack(async (stack) => {
    const { runId } = await makeRun(stack, 'search');
    await copyRun(stack, openRunsMax - 2);
    const last = await makeRun(stack, 'search');
    const refused = await askRuns(stack, 'search', post);
    expectGateway(refused, 'TOO_MANY_REQUESTS', '60');
    await makeRun(stack, 'tutor');
    expect(await askRuns(stack, 'search', { id: last.runId })).toMatchObject({ status: 200 });
    await askRuns(stack, 'search', { method: 'DELETE', id: runId });
    await makeRun(stack, 'search');
    const again = await askRuns(stack, 'search', post);
    expectGateway(again, 'TOO_MANY_REQUESTS', '60');
    await stack.clock.advance(60_000);
    await makeRun(stack, 'search');
  }),
);

test(
  'none is created while an instance that does not support runs is alive',
  onStack(async (stack) => {
    const sql =
      "insert into owner (id, seen_at, config_hash, schema_version) values ('old', $1, '', 21)";
    await stack.store.write([{ sql, values: [stack.clock.now()] }]);
    const refused = await askRuns(stack, 'search', post);
    expectError(refused, {
      ...{ status: 500, code: 'INTERNAL', says: ['during an upgrade'], retryAfter: '1' },
    });
    // Operators see its id.
    expect(JSON.stringify(refused.body)).not.toContain('old');
    const line = stack.logLines.find(({ message }) => message === 'answered');
    expect(JSON.stringify(line?.fields)).toContain('an older version are running: old');
    await stack.clock.advance(11_000);
    await makeRun(stack, 'search');
  }),
);
