import { afterEach, describe, expect, test } from 'vitest';
import type { CpuMsOf } from '../../src/json-schema/cpu-limit.ts';
import { createPool, type Pool } from '../../src/json-schema/pool.ts';
import { type PoolLimits, poolLimits } from '../../src/json-schema/pool-limits.ts';
import { silentLog } from '../../src/lib/log.ts';

const schema = { text: '{"type":"object"}', dialect: 'draft-07' } as const;
const pattern = { text: '{"pattern":"^(a+)+$"}', dialect: 'draft-07' } as const;
const endless = { schema: pattern, value: JSON.stringify(`${'a'.repeat(60)}!`) };

let pool: Pool | undefined;
afterEach(() => pool?.close());

function open(limits: Partial<PoolLimits>, cpuMsOf?: CpuMsOf): Pool {
  const counted = cpuMsOf === undefined ? {} : { cpuMsOf };
  pool = createPool({ log: silentLog, limits: { ...poolLimits, ...limits }, ...counted });
  return pool;
}

describe('a job that runs without end', () => {
  test('is ended by its thread’s CPU time, not by elapsed time', async () => {
    let asked = 0;
    // A thread that gets no processor at first: before and after compiling, and at three checks.
    const starved = () => Promise.resolve(++asked <= 5 ? 0 : 1_000);
    const outcome = await open({ checkMs: 50 }, starved).run('one', endless);
    expect([outcome.kind, asked]).toEqual(['exhausted', 6]);
  });

  test('is ended by the system’s own count', async () => {
    const outcome = await open({ checkMs: 100, wallMs: 600_000 }).run('one', endless);
    expect(outcome.kind).toBe('exhausted');
  });

  test('is ended by the wall clock when it gets no processor', async () => {
    const idle = () => Promise.resolve(0);
    const outcome = await open({ checkMs: 50, wallMs: 2_000 }, idle).run('one', endless);
    expect(outcome.kind).toBe('exhausted');
  });

  test('is ended by the wall clock when its thread does not reply', async () => {
    const silent = () => new Promise<number>(() => {});
    const outcome = await open({ checkMs: 50, wallMs: 2_000 }, silent).run('one', endless);
    expect(outcome.kind).toBe('exhausted');
  });
});

test('an answer waits for a thread for longer than a schema', async () => {
  const { run } = open({ threadsMax: 1, waitMs: 50, checkMs: 100, answerWaitMs: 60_000 });
  const [hostile, unpaid, paid] = await Promise.all([
    run('one', endless),
    run('two', { schema, value: undefined }),
    run('three', { schema, value: '{}' }),
  ]);
  expect([hostile.kind, unpaid.kind, paid.kind]).toEqual(['exhausted', 'crowded', 'fits']);
});

test('an answer does not wait without limit', async () => {
  const { run } = open({ threadsMax: 0, answerWaitMs: 50 });
  expect(await run('one', { schema, value: '{}' })).toEqual({ kind: 'crowded' });
});
