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
import { correctCall } from '../admin/corrections.ts';
import type { Office } from '../admin/office.ts';
import { type Repriced, repriceCalls } from '../admin/reprice.ts';
import { catalogOf } from './catalog.ts';
import { type CommonOptions, readConfig, type Shell, withOffice } from './context.ts';
import { dollars, factLines, printDocument, tableLines, yesNo } from './print.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDay } from './values.ts';

/** `calls show|correct|reprice`: single calls, and what they are booked with. */
export function registerCalls(program: Command, shell: Shell): void {
  const calls = program.command('calls').description('single calls');
  withSharedOptions(
    calls.command('show <id>').description('what became of a call, and what it cost'),
  ).action((id: string, _options: unknown, command: Command) =>
    show(shell, id, command.optsWithGlobals<CommonOptions>()),
  );
  withSharedOptions(calls.command('correct <id>').description("put a finished call's cost right"))
    .requiredOption('--usd <amount>', 'what the call really cost, exact decimal USD')
    .action((id: string, _options: unknown, command: Command) =>
      correct(shell, id, command.optsWithGlobals<CorrectOptions>()),
    );
  withSharedOptions(
    calls
      .command('reprice')
      .description('book calls of a model that had no price with the price that it has now'),
  )
    .requiredOption('--model <id>', 'the model, which has a price by now')
    .requiredOption('--since <day>', 'the first UTC day whose calls are meant')
    .action((_options: unknown, command: Command) =>
      reprice(shell, command.optsWithGlobals<RepriceOptions>()),
    );
}

interface RepriceOptions extends CommonOptions {
  readonly model: string;
  readonly since: string;
}

async function reprice(shell: Shell, options: RepriceOptions) {
  const since = readDay('--since', options.since);
  const { model } = options;
  const config = readConfig(shell, options);
  const catalog = catalogOf(shell, config);
  const repriced = await withOffice(shell, config, (office) =>
    repriceCalls(office, catalog, { model, since }),
  );
  printDocument(shell, options, repriced, repricedLines);
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

interface CorrectOptions extends CommonOptions {
  readonly usd: string;
}

async function correct(shell: Shell, id: string, options: CorrectOptions) {
  const config = readConfig(shell, options);
  const work = (office: Office) => correctCall(office, id, options.usd);
  print(shell, options, await withOffice(shell, config, work));
}

async function show(shell: Shell, id: string, options: CommonOptions) {
  const config = readConfig(shell, options);
  print(shell, options, await withOffice(shell, config, (office) => showCall(office, id)));
}

function print(shell: Shell, options: CommonOptions, document: CallDocument | HoldDocument) {
  printDocument(shell, options, document, (call) =>
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
  return `$${wallet.grantUsd} of the grant, $${wallet.topUpUsd} of top-ups`;
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
