import { describe, expect, test } from 'vitest';
import { utcDayOf } from '../../../src/lib/clock.ts';
import { heldBy, readCalls } from '../../support/books.ts';
import type { Choose } from '../../support/pairs.ts';
import { sharedOn } from '../../support/shared-stack.ts';
import { openStack, type Stack } from '../../support/stack.ts';
import { openStreams, streamsYaml } from './streams.ts';
import { callerRows } from './who-pays-callers.ts';
import { platformRows } from './who-pays-platforms.ts';
import type { Row } from './who-pays-scene.ts';

const kinds = ['SQLite', 'PostgreSQL'] as const;

interface Cell {
  readonly kind: (typeof kinds)[number];
  readonly isKeyed: boolean;
  readonly isMetered: boolean;
  readonly row: Row;
}

const both = [true, false];
const cells: readonly Cell[] = kinds
  .flatMap((kind) => both.map((isKeyed) => ({ kind, isKeyed })))
  .flatMap((cell) => both.map((isMetered) => ({ ...cell, isMetered })))
  .flatMap((cell) => [...callerRows, ...platformRows].map((row) => ({ ...cell, row })));

/** Who pays, for every way in which a stream of the call runner ends. */
export function describeWhoPays(choose: Choose) {
  const chosen = Map.groupBy(choose(cells), ({ kind }) => kind);

  describe.each([...chosen])('on %s', (kind, cellsOn) => {
    const house = sharedOn(kind === 'SQLite' ? 'sqlite' : 'postgres', async (store) => ({
      stack: await openStack({ yaml: streamsYaml.replace('sqlite:./gateway.db', `"${store}"`) }),
    }));
    const groups = Map.groupBy(
      cellsOn,
      ({ isKeyed, isMetered }) => `key: ${isKeyed}, wallet: ${isMetered}`,
    );

    describe.each([...groups])('%s', (_, cellsOf) => {
      test.each(cellsOf)('$row.what', (cell) => expectPaid(house().stack, cell));
    });
  });
}

async function expectPaid(stack: Stack, { row, isKeyed, isMetered }: Cell) {
  const streams = await openStreams(stack);
  const app = isMetered ? 'tutor' : 'search';
  const key = isKeyed ? row.what : undefined;
  const caller = await streams.send({ app, key });
  const [attempt] = streams.platform.attempts;
  if (attempt === undefined) throw new Error('the platform was not asked');
  const since = stack.clock.now();
  const heldPicoUsd = await heldAmount(stack, app);
  await row.play({ streams, caller, attempt });
  await stack.clock.settle();

  const records = await readCalls(stack.store, app, utcDayOf(since));
  const [settled, ...more] = streams.settled;
  expect(more).toEqual([]);
  const record = records.find(({ callId }) => callId === settled?.callId);
  expect(await heldBy(stack.store, app)).toBe(0);
  expect(streams.runner.detached.count() + streams.runner.streams.count()).toBe(0);
  const budget = row.budget === 'hold' ? heldPicoUsd : row.budget;
  expect(record).toMatchObject({ code: row.code, basis: row.basis, cost: budget });
  const { wallet } = row;
  const pays = typeof wallet === 'bigint' ? wallet : isKeyed ? wallet.keyed : wallet.plain;
  const { walletGrant = 0n, walletTopup = 0n } = record ?? {};
  expect(walletGrant + walletTopup).toBe(isMetered ? pays : 0n);
  expect(await stack.audit()).toMatchObject({ clean: true });
}

function heldAmount(stack: Stack, app: string): Promise<bigint> {
  return stack.store.read({
    sql: 'select budget_amount from hold where app = $1',
    values: [app],
    map: ([row]) => BigInt(String(row?.budget_amount)),
  });
}
