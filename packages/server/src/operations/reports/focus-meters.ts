import type { Attempt, CallRecord } from '../../books/rows.ts';
import { isUnpriced } from '../../books/usage.ts';
import type { Price } from '../../catalog/catalog.ts';
import { ratesFor } from '../../catalog/cost.ts';
import type { StepRates } from '../../domain/rates.ts';
import { firstCallIdAt } from '../../lib/id.ts';
import { parseUsd, parseUsdPerMillion } from '../../lib/money.ts';
import type { GroupName, Meter } from '../../reports/focus-charges.ts';
import type { Names } from '../../reports/report.ts';
import type { Store } from '../../store/port/port.ts';
import { selectAttemptedCalls } from '../../store/queries/attempted-calls.ts';
import { selectAttemptsBetween } from '../../store/queries/invoices.ts';
import { hasAttemptRows, recordedAttempts } from '../calls/call-attempts.ts';
import { attemptLines, type Line } from '../calls/receipt.ts';
import type { Progress } from '../days/closed-parts.ts';
import { selectRates } from '../models/prices.ts';

/** Reading a step blocks the thread that serves callers for a few milliseconds. */
const stepCalls = 200;
const dayMs = 86_400_000;
/** Process clocks may differ. */
const idSlackMs = dayMs;

export interface MetersOf {
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  /** Undefined: all. */
  readonly apps: readonly string[] | undefined;
}

type MutableMeter = { -readonly [Key in keyof Meter]: Meter[Key] };
type Groups = Map<string, { readonly name: GroupName; readonly meters: Map<string, MutableMeter> }>;

/**
 * Adds up receipt lines step by step, so memory grows only with the groups. Estimates have no
 * lines; a correction keeps the platform's counts.
 */
export async function readMeters(
  store: Pick<Store, 'read'>,
  query: MetersOf,
  platformOf: Names['platform'],
  progress: Progress,
): Promise<readonly Meter[]> {
  const groups: Groups = new Map();
  const priceOf = createPrices(store);
  const beforeId = firstCallIdAt(Date.parse(query.to) + dayMs + idSlackMs);
  let afterId = firstCallIdAt(Date.parse(query.from) - idSlackMs);
  let day = '';
  for (;;) {
    const step = { ...query, afterId, beforeId, limit: stepCalls };
    const calls = await store.read(selectAttemptedCalls(step));
    const last = calls.at(-1);
    if (last === undefined) break;
    if (last.day !== day) progress(`counts of ${last.day}`);
    day = last.day;
    for (const { call, attempt } of await attemptsIn(store, calls)) {
      const { priceVersion: version = '', usageModel: model, platform = '' } = attempt;
      const price = await priceOf(version);
      if (price === null) continue;
      const named = platform === '' ? platformOf(model) : platform;
      const group = { day: call.day, app: call.app, platform: named, model };
      countAttempt(metersAt(groups, group), group, { attempt, version, price });
    }
    if (calls.length < stepCalls) break;
    afterId = last.callId;
  }
  return [...groups.values()].flatMap(({ meters }) => [...meters.values()]);
}

interface CallAttempt {
  readonly call: CallRecord;
  readonly attempt: Attempt;
}

async function attemptsIn(
  store: Pick<Store, 'read'>,
  calls: readonly CallRecord[],
): Promise<readonly CallAttempt[]> {
  const [first, last] = [calls[0], calls.at(-1)];
  const hasRows = first !== undefined && last !== undefined && calls.some(hasAttemptRows);
  const rows = hasRows ? await store.read(selectAttemptsBetween(first.callId, last.callId)) : [];
  const byCall = Map.groupBy(rows, ({ callId }) => callId);
  return calls.flatMap((call) => {
    const own = hasAttemptRows(call) ? (byCall.get(call.callId) ?? []) : recordedAttempts(call);
    return own.filter(isCounted).map((attempt) => ({ call, attempt }));
  });
}

/** A correction leaves price and counts valid. */
function isCounted({ basis, isCounted: isWhole, priceVersion }: Attempt): boolean {
  if (isUnpriced(priceVersion)) return false;
  return basis === 'exact' || (basis === 'corrected' && isWhole);
}

/** Caches each version. */
function createPrices(store: Pick<Store, 'read'>) {
  const known = new Map<string, Price | null>();
  return async (version: string): Promise<Price | null> => {
    const existing = known.get(version);
    if (existing !== undefined) return existing;
    const price = await store.read(selectRates(version));
    known.set(version, price);
    return price;
  };
}

function metersAt(groups: Groups, name: GroupName): Map<string, MutableMeter> {
  const key = JSON.stringify([name.day, name.app, name.platform, name.model]);
  const existing = groups.get(key);
  if (existing !== undefined) return existing.meters;
  const meters = new Map<string, MutableMeter>();
  groups.set(key, { name, meters });
  return meters;
}

interface PricedAttempt {
  readonly attempt: Attempt;
  readonly version: string;
  readonly price: Price;
}

/** Counts nothing if the counts cost more than was booked, since the price is then wrong. */
function countAttempt(meters: Map<string, MutableMeter>, group: GroupName, priced: PricedAttempt) {
  const { attempt, version, price } = priced;
  const lines = attemptLines({ ...attempt, basis: 'exact' }, price).filter(
    ({ kind }) => kind !== 'other',
  );
  const sum = lines.reduce((all, { amount }) => all + amount, 0n);
  if (attempt.basis === 'exact' && sum > attempt.cost) return;
  const step = stepOf(priced);
  const above = step === undefined ? '' : `above ${step}`;
  for (const line of lines) {
    const { kind, tokens, tool, count = 0 } = line;
    const last = tool ?? (tokens === null ? '' : above);
    const priceId = last === '' ? `${version}/${kind}` : `${version}/${kind}/${last}`;
    const known = meters.get(priceId);
    const quantity = BigInt(tokens ?? count);
    if (known === undefined) meters.set(priceId, meterOf(priced, line, { ...group, priceId }));
    else known.quantity += quantity;
  }
}

function meterOf(
  priced: PricedAttempt,
  { kind, tokens, usdPerMillion, count = 0, usdEach = '', tool }: Line,
  named: GroupName & Pick<Meter, 'priceId'>,
): MutableMeter {
  const common = { ...named, quantity: BigInt(tokens ?? count) };
  if (tokens !== null) {
    const unitPrice = parseUsdPerMillion(usdPerMillion ?? '') ?? 0n;
    return {
      ...common,
      name: wordsOf(kind),
      unit: 'Tokens',
      unitPrice,
      details: detailsOf(priced),
    };
  }
  const details = tool === undefined ? {} : { x_Tool: tool };
  const name = tool === undefined ? wordsOf(kind) : `${wordsOf(kind)} ${tool}`;
  const unit = kind === 'request' ? 'Requests' : 'Uses';
  return { ...common, name, unit, unitPrice: parseUsd(usdEach) ?? 0n, details };
}

function stepOf({ attempt, price }: PricedAttempt): number | undefined {
  const rates: Partial<StepRates> = ratesFor(price, attempt.tokens.inputTokens);
  return rates.aboveInputTokens;
}

function detailsOf(priced: PricedAttempt): Meter['details'] {
  const { version, price } = priced;
  const [, ofTier = '', ofRegion = ''] = version.split(':');
  const tier = ofTier || price.terms?.tier;
  const region = ofRegion || price.terms?.region;
  const step = stepOf(priced);
  return {
    ...(tier !== undefined && { x_Tier: tier }),
    ...(region !== undefined && { x_Region: region }),
    ...(step !== undefined && { x_AboveInputTokens: step }),
  };
}

/** Returns, for example, `Cached Input` for `cachedInput`; also names new kinds of tokens. */
function wordsOf(kind: string): string {
  const words = kind.replaceAll(/[A-Z]|(?<!\d)\d+h/g, (start) => ` ${start}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
