import type { PartsUsd, RatesUsd } from '@model-gateway/contract';
import { estimateReasons, isEstimateReason } from '../../domain/doubt.ts';
import { dollars, dollarsOr, factLines, tableLines } from '../description/text-lines.ts';
import type {
  AttemptDocument,
  CallDocument,
  CorrectionDocument,
  HoldDocument,
  PlannedCorrection,
  PriceDocument,
  RepriceResult,
  WalletDocument,
} from '../documents/calls.ts';
import type { CallsPage, MostExpensiveCalls } from '../documents/calls-pages.ts';

export function callListLines(page: CallsPage | MostExpensiveCalls): readonly string[] {
  const table = tableLines(
    [...['call', 'started', 'app', 'key', 'user', 'model', 'code'], ...money],
    page.items.map((call) => [
      ...[call.id, call.startedAt, call.app, call.keyId ?? 'unknown', call.userId ?? 'none'],
      ...[call.model, call.code, call.costUsd, call.estimatedUsd],
    ]),
    'No calls found.',
    money,
  );
  if ('unsearched' in page) return [...table, ...unsearchedLines(page)];
  const { after, searchedBackTo } = page;
  if (after === null) return table;
  const how =
    searchedBackTo === null ? 'More results might exist' : `Searched back to ${searchedBackTo}`;
  return [...table, `${how}: continue with --after ${after}`];
}

const money = ['cost USD', 'estimated USD'];

function unsearchedLines({ unsearched }: MostExpensiveCalls): readonly string[] {
  if (unsearched === null) return [];
  const { since, until, atMostUsd } = unsearched;
  const range = `Not searched: calls ${since === null ? '' : `from ${since} `}until ${until}`;
  const most =
    atMostUsd === null
      ? 'which might be more expensive'
      : `none of which costs more than $${atMostUsd}`;
  return [`${range}, ${most}; use a shorter time range`];
}

export function repricedLines(repriced: RepriceResult): readonly string[] {
  return factLines([
    ['model', repriced.model],
    ['since', repriced.since],
    ['calls', String(repriced.calls)],
    ['still partly estimated', String(repriced.estimatedCalls)],
    ['cost before', dollars(repriced.beforeUsd)],
    ['cost now', dollars(repriced.afterUsd)],
  ]);
}

export function correctionLines(planned: PlannedCorrection): readonly string[] {
  const { app, day, usd, costUsd, heldUsd, isLarge } = planned;
  const was = `${dollars(costUsd)} (${dollars(heldUsd)} reserved)`;
  return [
    `Books ${dollars(usd)} for a call of ${app} on ${day}. Current cost: ${was}.`,
    ...(isLarge
      ? ['This is more than 10 times either amount. Use --force to book it anyway.']
      : []),
  ];
}

export function callLines(call: CallDocument | HoldDocument): readonly string[] {
  return call.state === 'running' ? runningLines(call) : finishedLines(call);
}

function runningLines(hold: HoldDocument): readonly string[] {
  return factLines([
    ...headFacts(hold),
    ['reserved', `$${hold.heldUsd} (maximum cost)`],
    ['wallet', walletText(hold.wallet)],
    ['extensions', String(hold.extensions)],
    ['instance', hold.instanceId],
    ['started', hold.startedAt],
    ['expires', hold.expiresAt],
  ]);
}

function finishedLines(call: CallDocument): readonly string[] {
  const { usage } = call;
  const input = `${usage.inputTokens} in (${usage.cachedInputTokens} cached, ${usage.cacheWriteInputTokens} cache write)`;
  const output = `${usage.outputTokens} out (${usage.reasoningTokens} reasoning)`;
  return [
    ...factLines([
      ...headFacts(call),
      ['code', call.code],
      ['tokens', `${input}, ${output}`],
      ['cost', `$${call.costUsd} ($${call.estimatedUsd} estimated)`],
      ['basis', call.basis],
      ...(call.estimateReason === null ? [] : [estimateFact(call.estimateReason)]),
      ['reserved', dollars(call.heldUsd)],
      ['wallet', walletText(call.wallet)],
      ['price', priceText(call.price)],
      ['instance', call.instanceId ?? 'unknown'],
      ['platform id', call.requestId ?? 'none'],
      ['started', call.startedAt],
      ['ended', call.endedAt],
      ['took', `${call.tookMs} ms`],
      ['first output after', call.firstMs === null ? 'not recorded' : `${call.firstMs} ms`],
    ]),
    '',
    ...tableLines(
      [
        'attempt',
        'outcome',
        'status',
        'ms',
        'model',
        'in',
        'out',
        'cost',
        'estimated',
        'platform id',
      ],
      call.attempts.map(attemptCells),
      'No attempts recorded.',
    ),
    ...correctionsLines(call.corrections),
  ];
}

function estimateFact(reason: string): [string, string] {
  return ['estimate reason', isEstimateReason(reason) ? estimateReasons[reason] : reason];
}

function correctionsLines(corrections: readonly CorrectionDocument[]): readonly string[] {
  if (corrections.length === 0) return [];
  const head = ['changed', 'by', 'action', 'from', 'to', 'reference', 'why'];
  const rows = corrections.map(({ at, actor, action, fromUsd, toUsd, reference, reason }) => [
    ...[at, actor, action, dollarsOr(fromUsd, 'none'), dollarsOr(toUsd, 'none')],
    ...[reference ?? 'none', reason ?? 'not given'],
  ]);
  return ['', ...tableLines(head, rows, '')];
}

function attemptCells(attempt: AttemptDocument, index: number): readonly string[] {
  return [
    String(index + 1),
    attempt.outcome,
    attempt.status === null ? 'none' : String(attempt.status),
    String(attempt.tookMs),
    attempt.model,
    String(attempt.usage.inputTokens),
    String(attempt.usage.outputTokens),
    dollars(attempt.costUsd),
    attempt.estimated ? (attempt.estimateReason ?? 'yes') : 'no',
    attempt.requestId ?? 'none',
  ];
}

function headFacts(call: CallDocument | HoldDocument): [string, string][] {
  const facts: [string, string][] = [
    ['call', call.id],
    ['request', call.gatewayRequestId ?? 'unknown'],
    ['state', call.state],
    ['app', call.app],
    ['key', call.keyId ?? 'unknown'],
    ['from', call.remote ?? 'unknown'],
    ['day', call.day],
    ['user', call.userId ?? 'none'],
    ['route', call.route],
    ['model', call.model],
    ['platform', call.platform ?? 'unknown'],
  ];
  if (call.traceId !== undefined) facts.push(['trace', call.traceId]);
  if (call.scopes !== undefined) facts.push(['budgets', call.scopes.join(', ')]);
  return facts;
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
  const { version, tier, region, steps = [], cacheWrite1hInputUsdPerMillion: hour } = price;
  const { perRequestUsd, toolUses = {} } = price;
  const flat = [
    ...(perRequestUsd === undefined ? [] : [`, $${perRequestUsd} per request`]),
    ...Object.entries(toolUses).map(([tool, { usdPerThousand }]) => {
      return `, $${usdPerThousand} per 1,000 uses of ${tool}`;
    }),
  ].join('');
  const forHour = hour === undefined ? '' : `, $${hour} 1-hour cache write`;
  const above = steps.map(
    (step) => `; above ${step.aboveInputTokens} input tokens ${ratesText(step)}`,
  );
  const terms = [tier && `, tier ${tier}`, region && `, region ${region}`].filter(Boolean).join('');
  return `${ratesText(price)}${forHour} per million tokens${above.join('')}${flat}${terms} (version ${version})`;
}

function ratesText(rates: RatesUsd): string {
  return `$${rates.inputUsdPerMillion} in, $${rates.cachedInputUsdPerMillion} cached, $${rates.cacheWriteInputUsdPerMillion} cache write, $${rates.outputUsdPerMillion} out${partsText(rates)}`;
}

function partsText(rates: PartsUsd): string {
  const parts = [
    ['image input', rates.imageInputUsdPerMillion],
    ['audio input', rates.audioInputUsdPerMillion],
    ['reasoning', rates.reasoningUsdPerMillion],
    ['image output', rates.imageOutputUsdPerMillion],
    ['audio output', rates.audioOutputUsdPerMillion],
  ] as const;
  return parts.map(([name, rate]) => (rate === undefined ? '' : `, $${rate} ${name}`)).join('');
}
