import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CommandContext,
  type CommonOptions,
  UsageError,
} from '@model-gateway/server/cli/process/context';
import { printDocument } from '@model-gateway/server/cli/process/print';
import { withSharedOptions } from '@model-gateway/server/cli/process/shared-options';
import { stopSignal } from '@model-gateway/server/cli/stop-signal';
import { formatUsd } from '@model-gateway/server/lib/money';
import { AdminError } from '@model-gateway/server/operations/context/admin-error';
import type { Command } from 'commander';
import { type Arena, highestRatesOf, openArena } from './arena/arena.ts';
import { seedMax } from './arena/chance.ts';
import type { BudgetVerdict } from './budget-verdict.ts';
import { type Findings, totalOf } from './findings.ts';
import { reportLines } from './report.ts';
import { runStages } from './run-stages.ts';
import type { ScopeVerdict } from './scope-verdict.ts';
import { type AccountVerdict, verdict } from './verdict.ts';

interface AttackOptions extends CommonOptions {
  readonly store?: string;
  readonly minutes?: string;
  readonly seed?: string;
  readonly keep?: string;
  readonly threads?: string;
}

export function registerAttack(program: Command, context: CommandContext): void {
  withSharedOptions(
    program.command('attack').description('try to overspend budgets while services are killed'),
  )
    .option(
      '--store <url>',
      'empty store to use; two services share a postgres:// store (default: a temporary SQLite store)',
    )
    .option('--minutes <n>', 'duration of killing and spending (default: one round)')
    .option('--seed <n>', 'seed of an earlier attack, to repeat its choices (default: random)')
    .option('--threads <n>', 'request threads of each service (default: 1)')
    .option(
      '--keep <folder>',
      'empty folder in which to keep the store, the configuration and the bill',
    )
    .action((_options: unknown, command: Command) =>
      attack(context, command.optsWithGlobals<AttackOptions>()),
    );
}

async function attack(context: CommandContext, options: AttackOptions) {
  const killsMs = readMinutes(options.minutes);
  const seed = readSeed(options.seed) ?? Math.floor(context.ids.random() * (seedMax + 1));
  const threads = readThreads(options.threads);
  const startedMs = context.clock.monotonic();
  const stopped = stopSignal(context.clock).then(() => undefined);
  const { store: storeUrl, keep } = options;
  const arena = await openArena(context, { storeUrl, keep, threads });
  let findings: Findings | undefined;
  try {
    findings = await Promise.race([run(arena, { seed, killsMs, keep }), stopped]);
  } finally {
    await arena.close(findings === undefined ? 'SIGKILL' : 'SIGTERM');
  }
  if (findings === undefined) throw new AdminError('The attack was stopped, so it shows nothing.');
  const seconds = Math.round((context.clock.monotonic() - startedMs) / 1_000);
  const lines = reportLines(findings);
  printDocument(context, options, reportDocument(findings, seconds), () => lines);
  const { isClean, isConclusive } = findings.verdict;
  if (!isClean)
    throw new AdminError('The attack found a breach. See the values above that are not 0.');
  if (!isConclusive) {
    throw new AdminError(
      'The attack spent less than 95 % of its budgets, so its zeros prove little.',
    );
  }
}

async function run(
  arena: Arena,
  options: { readonly seed: number; readonly killsMs: number; readonly keep: string | undefined },
): Promise<Findings> {
  const { context, store } = arena;
  const { seed, killsMs, keep } = options;
  const services = arena.urls().length;
  context.warn(
    `Attacking ${services === 1 ? 'one service' : `${services} services`} on ${store.kind}, seed ${seed}; the simulator is a separate process.`,
  );
  const parts = { arena, seed, highestRates: highestRatesOf(context) };
  const { books, stages, billText } = await runStages(parts, killsMs);
  if (keep !== undefined) await writeFile(join(arena.folder, 'bill.json'), billText);
  return { verdict: verdict(books), stages, seed, store: store.kind, services, keep };
}

function readMinutes(minutes: string | undefined): number {
  if (minutes === undefined) return 0;
  const value = Number(minutes);
  if (Number.isFinite(value) && value > 0 && value <= 1_440) return value * 60_000;
  throw new UsageError(`--minutes: "${minutes}" must be a number of minutes above 0, up to 1440`);
}

function readThreads(threads: string | undefined): number {
  if (threads === undefined) return 1;
  if (/^[1-9]$/.test(threads)) return Number(threads);
  throw new UsageError(`--threads: "${threads}" must be a whole number from 1 to 9`);
}

function readSeed(seed: string | undefined): number | undefined {
  if (seed === undefined) return undefined;
  const value = Number(seed);
  if (/^\d{1,10}$/.test(seed) && value <= seedMax) return value;
  throw new UsageError(`--seed: "${seed}" must be a whole number from 0 to ${seedMax}`);
}

/** Amounts are exact decimal USD. */
function reportDocument(findings: Findings, seconds: number) {
  const { accounts, broken, isClean, isConclusive } = findings.verdict;
  const { seed, store, services } = findings;
  return {
    ...amountsOf(totalOf(findings.verdict)),
    ...{ broken, isClean, isConclusive, seed, store, services, seconds },
    apps: accounts.map((account) => ({ name: account.name, ...amountsOf(account) })),
    scopes: findings.verdict.scopes.map(scopeDocument),
    budgets: findings.verdict.budgets.map(budgetDocument),
    stages: findings.stages.map(({ name, line, crowd }) => ({
      ...{ name, line },
      ...(crowd && { admitted: crowd.admitted, fits: crowd.fits }),
    })),
  };
}

function amountsOf(account: AccountVerdict) {
  const { falseRefusals, lost, doubled } = account;
  const { chargedWithoutResponse, falseExact, falseBookings } = account;
  return {
    overspendUsd: formatUsd(account.overspendPicoUsd),
    ...{ falseRefusals, lost, doubled, chargedWithoutResponse, falseExact, falseBookings },
    heldUsd: formatUsd(account.heldPicoUsd),
    spentUsd: formatUsd(account.billedPicoUsd),
    bookedUsd: formatUsd(account.bookedPicoUsd),
    capUsd: formatUsd(account.capPicoUsd),
    askedUsd: formatUsd(account.requestedPicoUsd),
  };
}

function scopeDocument(scope: ScopeVerdict) {
  return {
    ...{ name: scope.name, falseRefusals: scope.falseRefusals },
    overspendUsd: formatUsd(scope.overspendPicoUsd),
    spentUsd: formatUsd(scope.billedPicoUsd),
    bookedUsd: formatUsd(scope.bookedPicoUsd),
    capUsd: formatUsd(scope.capPicoUsd),
  };
}

function budgetDocument(budget: BudgetVerdict) {
  return {
    ...{ name: budget.name, checks: budget.checks },
    lostUsd: formatUsd(budget.lostPicoUsd),
    doubledUsd: formatUsd(budget.doubledPicoUsd),
    wronglyHeldUsd: formatUsd(budget.wronglyHeldPicoUsd),
  };
}
