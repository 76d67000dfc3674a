import { until } from '../../../../../harness/until.ts';
import { utcDayOf } from '../../../src/lib/clock.ts';
import { formatUsd } from '../../../src/lib/money.ts';
import { expectClean, heldBy, readCalls } from '../../support/books.ts';
import type { TestServer } from '../../support/server.ts';

/**
 * Waits for what clients have left, and compares the ledger with the platform's bill: they are the
 * same where every call is booked exactly, and the ledger is never below. Platforms other than the
 * simulator have a bill of their own.
 */
export async function checkBooks(server: TestServer, otherPicoUsd = 0n): Promise<string> {
  await until(async () => (await heldBy(server.store, 'team')) === 0);
  await expectClean(server);
  const calls = await readCalls(server.store, 'team', utcDayOf(server.clock.now()));
  const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);
  const booked = sumOf(calls.map(({ cost }) => cost));
  const estimated = sumOf(calls.map((call) => call.estimated));
  const billed = billedPicoUsd(server) + otherPicoUsd;
  const exact = booked - estimated;
  const text = `${calls.length} calls, booked $${formatUsd(booked)}, $${formatUsd(estimated)} of it estimated, billed $${formatUsd(billed)}`;
  if (calls.length === 0 || billed > booked || billed < exact) throw new Error(text);
  return `${text}, audit clean`;
}

function billedPicoUsd({ simulator }: TestServer): bigint {
  return simulator.bill().projects.reduce((sum, { costPicoUsd }) => sum + costPicoUsd, 0n);
}
