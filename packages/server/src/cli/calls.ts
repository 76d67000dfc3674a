import type { RatesUsd } from '@model-gateway/contract';
import type { Command } from 'commander';
import type { AttemptDocument } from '../admin/attempt-document.ts';
import type {
  CallDocument,
  HoldDocument,
  PriceDocument,
  WalletDocument,
} from '../admin/call-document.ts';
import { showCall } from '../admin/calls.ts';
import type { AdminContext } from '../admin/context.ts';
import { correctCall, type PlannedCorrection, planCorrection } from '../admin/corrections.ts';
import { planReprice, type Repriced, repriceCalls } from '../admin/reprice.ts';
import { formatUsd } from '../lib/money.ts';
import { catalogOf } from './catalog.ts';
import { reasonOf, withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, tellDryRun, withDangerOptions } from './confirm.ts';
import { type CommandContext, type CommonOptions, readConfig, withAdmin } from './context.ts';
import { dollars, factLines, printDocument, sameReference, tableLines, yesNo } from './print.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDay } from './values.ts';

/** `calls show|correct|reprice`: single calls, and what they are booked with. */
export function registerCalls(program: Command, context: CommandContext): void {
  const calls = program.command('calls').description('single calls');
  withSharedOptions(
    calls.command('show <id>').description('what became of a call, and what it cost'),
  ).action((id: string, _options: unknown, command: Command) =>
    show(context, id, command.optsWithGlobals<CommonOptions>()),
  );
  withChangeOptions(calls.command('correct <id>').description("put a finished call's cost right"))
    .requiredOption('--usd <amount>', 'what the call really cost, exact decimal USD')
    .option('--reference <reference>', 'the same reference corrects a call once')
    .option('--force', 'also to more than ten times what was held for it')
    .option('--yes', 'the same: do not ask')
    .option('--dry-run', 'show what it would do, and change nothing')
    .action((id: string, _options: unknown, command: Command) =>
      correct(context, id, command.optsWithGlobals<CorrectOptions>()),
    );
  withDangerOptions(
    calls
      .command('reprice')
      .description('book calls of a model that had no price with the price that it has now'),
  )
    .requiredOption('--model <id>', 'the model, which has a price by now')
    .requiredOption('--since <day>', 'the first UTC day whose calls are meant')
    .action((_options: unknown, command: Command) =>
      reprice(context, command.optsWithGlobals<RepriceOptions>()),
    );
}

interface RepriceOptions extends DangerOptions {
  readonly model: string;
  readonly since: string;
}

async function reprice(context: CommandContext, options: RepriceOptions) {
  const repricing = { model: options.model, since: readDay('--since', options.since) };
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const catalog = await catalogOf(context, config);
  const work = async (admin: AdminContext) => {
    if (options.dryRun === true) {
      tellDryRun(context);
      return planReprice(admin, catalog, repricing);
    }
    if (options.yes !== true) {
      const planned = repricedLines(await planReprice(admin, catalog, repricing));
      const lines = ['This books calls with the price that their model has now:', ...planned];
      await confirm(context, config, options, { command: 'calls reprice', lines });
    }
    return repriceCalls(admin, catalog, repricing);
  };
  printDocument(context, options, await withAdmin(context, config, work, reason), repricedLines);
}

function repricedLines(repriced: Repriced): readonly string[] {
  return factLines([
    ['model', repriced.model],
    ['since', repriced.since],
    ['calls', String(repriced.calls)],
    ['estimated in part still', String(repriced.estimatedCalls)],
    ['cost before', dollars(repriced.beforeUsd)],
    ['cost now', dollars(repriced.afterUsd)],
  ]);
}

interface CorrectOptions extends DangerOptions {
  readonly usd: string;
  readonly reference?: string;
  readonly force?: boolean;
}

async function correct(context: CommandContext, id: string, options: CorrectOptions) {
  const { usd, reference } = options;
  const correction = { callId: id, usd, reference };
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const work = async (admin: AdminContext) => {
    const planned = await planCorrection(admin, correction);
    if (options.dryRun === true) {
      for (const line of correctionLines(planned)) context.warn(line);
      tellDryRun(context);
      return showCall(admin, id);
    }
    if (planned.isDone) context.warn(sameReference);
    else if (planned.isLarge) {
      const lines = correctionLines(planned);
      const yes = options.yes === true || options.force === true;
      await confirm(context, config, { yes }, { command: 'calls correct', lines });
    }
    return correctCall(admin, correction);
  };
  print(context, options, await withAdmin(context, config, work, reason));
}

function correctionLines({ call, cost, isLarge }: PlannedCorrection): readonly string[] {
  const was = `${dollars(formatUsd(call.cost))}, and ${dollars(formatUsd(call.held))} was held`;
  return [
    `This books ${dollars(formatUsd(cost))} for a call of ${call.app} on ${call.day} that cost ${was}.`,
    ...(isLarge ? ['It is more than ten times either: --force books it all the same.'] : []),
  ];
}

async function show(context: CommandContext, id: string, options: CommonOptions) {
  const config = readConfig(context, options);
  print(context, options, await withAdmin(context, config, (admin) => showCall(admin, id)));
}

function print(
  context: CommandContext,
  options: CommonOptions,
  document: CallDocument | HoldDocument,
) {
  printDocument(context, options, document, (call) =>
    call.state === 'running' ? runningLines(call) : finishedLines(call),
  );
}

function runningLines(hold: HoldDocument): readonly string[] {
  return factLines([
    ...headFacts(hold),
    ['held', `$${hold.heldUsd}, the most that it can cost`],
    ['wallet', walletText(hold.wallet)],
    ['extensions', String(hold.extensions)],
    ['owner', hold.owner],
    ['started', hold.startedAt],
    ['expires', hold.expiresAt],
  ]);
}

function finishedLines(call: CallDocument): readonly string[] {
  const { usage } = call;
  const input = `${usage.inputTokens} in (${usage.cachedInputTokens} cached, ${usage.cacheWriteInputTokens} written to the cache)`;
  const output = `${usage.outputTokens} out (${usage.reasoningTokens} reasoning)`;
  return [
    ...factLines([
      ...headFacts(call),
      ['code', call.code],
      ['tokens', `${input}, ${output}`],
      ['cost', `$${call.costUsd}, of which $${call.estimatedUsd} is estimated`],
      ['basis', call.basis],
      ['was held', dollars(call.heldUsd)],
      ['wallet', walletText(call.wallet)],
      ['price', priceText(call.price)],
      ['platform id', call.requestId ?? 'none'],
      ['started', call.startedAt],
      ['ended', call.endedAt],
    ]),
    '',
    ...tableLines(
      ['attempt', 'outcome', 'status', 'ms', 'cost', 'estimated', 'platform id'],
      call.attempts.map(attemptCells),
      'No attempt is known: nobody was left to note it.',
    ),
  ];
}

function attemptCells(attempt: AttemptDocument, index: number): readonly string[] {
  return [
    String(index + 1),
    attempt.outcome,
    attempt.status === null ? 'none' : String(attempt.status),
    String(attempt.tookMs),
    dollars(attempt.costUsd),
    yesNo(attempt.estimated),
    attempt.requestId ?? 'none',
  ];
}

function headFacts(call: CallDocument | HoldDocument): [string, string][] {
  return [
    ['call', call.id],
    ['state', call.state],
    ['app', call.app],
    ['day', call.day],
    ['user', call.userId ?? 'none'],
    ['route', call.route],
    ['model', call.model],
  ];
}

function walletText(wallet: WalletDocument | null): string {
  if (wallet === null) return 'none';
  const { credits, grantUsd, topUpUsd } = wallet;
  const usd = `$${grantUsd} of the grant, $${topUpUsd} of top-ups`;
  if (credits === undefined) return usd;
  return `${credits.grant} credits of the grant, ${credits.topUp} of top-ups (${usd})`;
}

function priceText(price: PriceDocument | null): string {
  if (price === null) return 'none';
  const { version, longContext } = price;
  const long =
    longContext === undefined
      ? ''
      : `; from ${longContext.fromInputTokens} tokens of input on ${ratesText(longContext)}`;
  return `${ratesText(price)} a million tokens${long} (version ${version})`;
}

function ratesText(rates: RatesUsd): string {
  return `$${rates.inputUsdPerMillion} in, $${rates.cachedInputUsdPerMillion} cached, $${rates.cacheWriteInputUsdPerMillion} cache write, $${rates.outputUsdPerMillion} out`;
}
