import { projectIdOf } from '@model-gateway/simulator';
import { until } from '../../../../../harness/until.ts';
import { utcDayOf } from '../../../src/lib/clock.ts';
import { formatUsd } from '../../../src/lib/money.ts';
import { expectClean, heldBy, readCalls } from '../../support/books.ts';
import type { TestServer } from '../../support/server.ts';

/**
 * The ledger to check, and the amount that platforms other than the simulator have billed for it.
 */
interface BooksToCheck {
  readonly app?: string;
  readonly otherPicoUsd?: bigint;
  /** True without streams that end early: the ledger equals the bill. */
  readonly isExact?: boolean;
}

/**
 * Waits for calls whose clients have disconnected, and compares the ledger with the platform's
 * bill. They are equal where every call is booked exactly. The ledger is never lower.
 */
export async function checkBooks(
  server: TestServer,
  { app = 'team', otherPicoUsd = 0n, isExact = false }: BooksToCheck = {},
): Promise<string> {
  await until(async () => (await heldBy(server.store, app)) === 0);
  await expectClean(server);
  const calls = await readCalls(server.store, app, utcDayOf(server.clock.now()));
  const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);
  const booked = sumOf(calls.map(({ cost }) => cost));
  const estimated = sumOf(calls.map((call) => call.estimated));
  const billed = billedPicoUsd(server, app) + otherPicoUsd;
  const exact = isExact ? booked : booked - estimated;
  const text = `${app}: ${calls.length} calls, booked $${formatUsd(booked)}, $${formatUsd(estimated)} of it estimated, billed $${formatUsd(billed)}`;
  if (calls.length === 0 || billed > booked || billed < exact) throw new Error(text);
  return `${text}, audit clean`;
}

function billedPicoUsd({ simulator }: TestServer, app: string): bigint {
  const projectId = projectIdOf(`prod-acme-core-${app}`);
  const project = simulator.bill().projects.find((row) => row.projectId === projectId);
  return project?.costPicoUsd ?? 0n;
}
