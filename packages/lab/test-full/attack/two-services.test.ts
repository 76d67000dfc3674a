import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBin } from '../../../server/test/cli/support/bin.ts';
import { type OwnPostgres, startOwnPostgres } from '../../../server/test/support/postgres-own.ts';

let postgres: OwnPostgres;
let bookFolder: string;
beforeAll(async () => {
  postgres = await startOwnPostgres();
  bookFolder = await mkdtemp(join(tmpdir(), 'model-gateway-kept-'));
});
afterAll(async () => {
  await postgres.close();
  await rm(bookFolder, { recursive: true, force: true });
});

test('two services on one store keep every budget', async () => {
  const store = await postgres.database();
  const commandLine = ['attack', '--json', '--seed', '7', '--store', store, '--keep', bookFolder];
  const { code, out, errors } = await runBin(commandLine);
  const report = JSON.parse(out);
  expect(report).toMatchObject({
    ...{ overspendUsd: '0', falseRefusals: 0, lost: 0, doubled: 0, heldUsd: '0', broken: [] },
    ...{ chargedWithoutResponse: 0, falseExact: 0, falseBookings: 0 },
    ...{ isClean: true, isConclusive: true, seed: 7, store: 'postgres', services: 2 },
  });
  // Only these three lines: no warning of a library, no service that died. Before midnight it
  // waits, and reports this.
  const errorLines = errors.trim().split('\n');
  expect(errorLines.filter((line) => !line.startsWith('Waiting '))).toEqual([
    expect.stringContaining('Attacking 2 services on postgres, seed 7'),
    'Spending while services are killed …',
    'Changing the members of a budget …',
  ]);
  // Each budget was full from its own crowd. Calls that a kill interrupted are booked in full,
  // billed or not.
  const full = { overspendUsd: '0', falseRefusals: 0 };
  const sound = report.scopes.map(({ name, capUsd, spentUsd }: Record<string, string>) => {
    const isCut = name?.endsWith(':shift') === true;
    return { name, ...full, capUsd, spentUsd: isCut ? spentUsd : capUsd, bookedUsd: capUsd };
  });
  expect(report.scopes).toEqual(sound);
  expect(sound.map(({ name }: { name: string }) => name)).toEqual([
    ...['user-day', 'key-day', 'run', 'app-month', 'app-day', 'group-day:pair', 'group-month:team'],
    ...['group-day:shift', 'group-month:shift'],
    ...['minute-old, closed', 'minute-old, opened', 'day-old, closed', 'day-old, opened'],
    ...['month-old, closed', 'month-old, opened'],
  ]);
  const right = { lostUsd: '0', doubledUsd: '0', wronglyHeldUsd: '0' };
  expect(report.budgets).toMatchObject([right, right, right]);
  expect(report.stages).toContainEqual(
    expect.objectContaining({ name: 'crowd', admitted: 37, fits: 37 }),
  );
  expect(code).toBe(0);
});

test('the stored ledger shows the same in direct queries', async () => {
  const config = ['--json', '--config', join(bookFolder, 'gateway.yaml')];
  const audit = JSON.parse((await runBin(['audit', ...config])).out);
  expect(audit.clean).toBe(true);
  const { budget, totals } = JSON.parse((await runBin(['usage', 'crowd', ...config])).out);
  expect(budget).toMatchObject({ spentUsd: budget.capUsd, heldUsd: '0', remainingUsd: '0' });
  const bill = JSON.parse(await readFile(join(bookFolder, 'bill.json'), 'utf8'));
  const ofTheCrowd = bill.calls.filter(({ label }: { label: string }) =>
    label.startsWith('crowd/'),
  );
  expect(ofTheCrowd).toHaveLength(totals.calls);
});
