import type { Command } from 'commander';
import { findCall } from '../operations/calls/calls.ts';
import { correctCall, planCorrection } from '../operations/calls/corrections.ts';
import { callLines, correctionLines, repricedLines } from '../operations/calls/lines.ts';
import { planReprice, repriceCalls } from '../operations/calls/reprice.ts';
import { sameReference } from '../operations/text-lines.ts';
import { registerCallsList } from './calls-list.ts';
import { catalogOf } from './catalog.ts';
import { withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, warnOfDryRun, withDangerOptions } from './confirm.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onStore } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDay } from './values.ts';

interface CorrectOptions extends DangerOptions {
  readonly usd: string;
  readonly reference?: string;
  readonly force?: boolean;
}

interface RepriceOptions extends DangerOptions {
  readonly model: string;
  readonly since: string;
}

/** `calls list|show|correct|reprice`: single calls, and what they are booked with. */
export function registerCalls(program: Command, context: CommandContext): void {
  const calls = program.command('calls').description('single calls');
  registerCallsList(calls, context);
  withSharedOptions(
    calls.command('show <id>').description('show a call: its outcome, its attempts and its cost'),
  ).action((id: string, _options: unknown, command: Command) =>
    show(context, id, command.optsWithGlobals<CommonOptions>()),
  );
  withChangeOptions(calls.command('correct <id>').description("put a finished call's cost right"))
    .requiredOption('--usd <amount>', 'what the call really cost, exact decimal USD')
    .option('--reference <reference>', 'the same reference corrects a call once')
    .option('--force', 'allow more than ten times what was held for the call')
    .option('--yes', 'the same as --force')
    .option('--dry-run', 'show what it would do, and change nothing')
    .action((id: string, _options: unknown, command: Command) =>
      correct(context, id, command.optsWithGlobals<CorrectOptions>()),
    );
  withDangerOptions(
    calls
      .command('reprice')
      .description('book earlier calls of a model at the price that it has now'),
  )
    .requiredOption('--model <id>', 'the model, which has a price now')
    .requiredOption('--since <day>', 'the first UTC day whose calls are repriced')
    .action((_options: unknown, command: Command) =>
      reprice(context, command.optsWithGlobals<RepriceOptions>()),
    );
}

async function show(context: CommandContext, id: string, options: CommonOptions) {
  const call = await onStore(context, options, (admin) => findCall(admin, id));
  printDocument(context, options, call, callLines);
}

async function correct(context: CommandContext, id: string, options: CorrectOptions) {
  const { usd, reference } = options;
  const correction = { callId: id, usd, reference };
  const call = await onStore(context, options, async (admin, config) => {
    const planned = await planCorrection(admin, correction);
    const lines = correctionLines(planned);
    if (options.dryRun === true) {
      for (const line of lines) context.warn(line);
      warnOfDryRun(context);
      return findCall(admin, id);
    }
    if (planned.isDone) context.warn(sameReference);
    else if (planned.isLarge) {
      const yes = options.yes === true || options.force === true;
      await confirm(context, config, { yes }, { command: 'calls correct', lines });
    }
    return correctCall(admin, correction);
  });
  printDocument(context, options, call, callLines);
}

async function reprice(context: CommandContext, options: RepriceOptions) {
  const repricing = { model: options.model, since: readDay('--since', options.since) };
  const repriced = await onStore(
    context,
    options,
    async (admin, config) => {
      const catalog = await catalogOf(context, config.catalog);
      if (options.dryRun === true) {
        warnOfDryRun(context);
        return planReprice(admin, catalog, repricing);
      }
      if (options.yes !== true) {
        const planned = repricedLines(await planReprice(admin, catalog, repricing));
        const lines = ['This books calls with the price that their model has now:', ...planned];
        await confirm(context, config, options, { command: 'calls reprice', lines });
      }
      return repriceCalls(admin, catalog, repricing);
    },
    { parts: ['catalog'] },
  );
  printDocument(context, options, repriced, repricedLines);
}
