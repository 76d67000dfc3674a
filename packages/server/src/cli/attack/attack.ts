import type { Command } from 'commander';
import { OfficeError } from '../../admin/office.ts';
import { type CommonOptions, type Shell, UsageError } from '../context.ts';
import { factLines, printDocument } from '../print.ts';
import { withSharedOptions } from '../shared-options.ts';
import { type Arena, openArena } from './arena.ts';
import { attackApps } from './attack-yaml.ts';
import type { CallOutcome } from './callers.ts';
import { attackMidnight } from './midnight.ts';
import { attackConcurrency, attackWithDuplicates, attackWithKills } from './phases.ts';
import { judge, type Verdict, verdictDocument } from './verdict.ts';

interface AttackOptions extends CommonOptions {
  readonly store?: string;
  readonly minutes?: string;
}

const shortestKillsMs = 15_000;

/** `attack [--store URL] [--minutes N]`: tries to pass the caps, and says whether it could. */
export function registerAttack(program: Command, shell: Shell): void {
  withSharedOptions(
    program
      .command('attack')
      .description('attack the caps on a temporary store: crowds, kills, duplicates, midnight'),
  )
    .option('--store <url>', 'an empty store instead; two services share a postgres:// one')
    .option('--minutes <n>', 'how long services are killed under load (default: 15 seconds)')
    .action((_options: unknown, command: Command) =>
      attack(shell, command.optsWithGlobals<AttackOptions>()),
    );
}

async function attack(shell: Shell, options: AttackOptions) {
  const killsMs = readMinutes(options.minutes);
  const arena = await openArena(shell, options.store);
  let verdict: Verdict;
  try {
    verdict = await run(arena, killsMs);
  } finally {
    await arena.close();
  }
  const document = verdictDocument(verdict);
  printDocument(shell, options, document, (found) =>
    factLines([
      ['spent', `$${found.spentUsd} by the platform's own bill`],
      ['cap', `$${found.capUsd}`],
      ['overspend', `$${found.overspendUsd}`],
      ['false refusals', String(found.falseRefusals)],
      ['lost calls', String(found.lost)],
      ['doubled calls', String(found.doubled)],
    ]),
  );
  const { overspend, falseRefusals, lost, doubled } = verdict;
  if (overspend > 0n || falseRefusals + lost + doubled > 0) {
    throw new OfficeError('the attack found a breach: see the figures above');
  }
}

async function run(arena: Arena, killsMs: number): Promise<Verdict> {
  const say = (line: string) => arena.shell.warn(line);
  const services = arena.urls().length === 1 ? 'one service' : `${arena.urls().length} services`;
  say(`Attacking ${services} on ${arena.store.kind}, the simulator in a process of its own.`);
  const crowd = await attackConcurrency(arena);
  say(
    `A crowd of ${crowd.length} at a cap that fits ${attackApps.concurrency.callsThatFit}: ${countText(crowd)}.`,
  );
  const copies = await attackWithDuplicates(arena);
  say(`${copies.length} requests for 60 calls: ${countText(copies)}.`);
  const killed = await attackWithKills(arena, killsMs);
  say(`Under kill -9 for ${killsMs / 1000} s: ${countText(killed)}.`);
  const midnight = await attackMidnight(arena);
  const [before, after] = midnight.admitted;
  say(
    `Over midnight, caps that fit ${attackApps.midnight.callsThatFit}: ${before} and ${after} admitted.`,
  );

  const verdict = await judge(arena, [...crowd, ...copies, ...killed]);
  const fits = Number(attackApps.concurrency.callsThatFit);
  const admitted = crowd.filter(({ kind }) => kind === 'answered').length;
  const fitsADay = Number(attackApps.midnight.callsThatFit);
  // Fewer than fit were refused without need; more than fit show as overspend or in the audit.
  verdict.falseRefusals += Math.max(0, fits - admitted) + midnight.falseRefusals;
  verdict.falseRefusals += Math.max(0, fitsADay - before) + Math.max(0, fitsADay - after);
  verdict.overspend += midnight.overspend;
  verdict.lost += midnight.audit.checks.filter((check) => !check.ok).length;
  verdict.lost += [...copies, ...killed].filter(({ kind }) => kind === 'failed').length;
  return verdict;
}

function countText(outcomes: readonly CallOutcome[]): string {
  const count = (kind: CallOutcome['kind']) =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  const failed = count('failed');
  const base = `${count('answered')} answered, ${count('refused')} refused`;
  return failed === 0 ? base : `${base}, ${failed} never answered`;
}

function readMinutes(minutes: string | undefined): number {
  if (minutes === undefined) return shortestKillsMs;
  const value = Number(minutes);
  if (Number.isFinite(value) && value > 0 && value <= 1_440) return value * 60_000;
  throw new UsageError(`--minutes: "${minutes}" is no number of minutes from 0 to 1440`);
}
