import type { Attempt, CallRecord } from '../books/rows.ts';
import { isUnpriced } from '../books/usage.ts';
import type { Price } from '../catalog/catalog.ts';
import { ratesFor } from '../catalog/cost.ts';
import { firstCallIdAt } from '../lib/id.ts';
import { eachInTurns } from '../lib/in-turns.ts';
import { parseUsd, parseUsdPerMillion } from '../lib/money.ts';
import type { Meter } from '../reports/focus-charges.ts';
import type { Names } from '../reports/report.ts';
import type { Store } from '../store/port.ts';
import { selectAttemptedCalls } from '../store/queries/attempted-calls.ts';
import { selectAttemptsBetween } from '../store/queries/invoices.ts';
import { hasAttemptRows, notedAttempts } from './call-attempts.ts';
import type { Progress } from './closed-parts.ts';
import { selectRates } from './prices.ts';
import { attemptLines } from './receipt.ts';

/** Calls of one step: as many as a few megabytes hold. */
const stepCalls = 2_000;
const dayMs = 86_400_000;
/** Ids are made by the clocks of many processes, which may differ. */
const idSlackMs = dayMs;

/** Of which calls meters are read. */
export interface MetersOf {
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  /** Undefined for all of them. */
  readonly apps: readonly string[] | undefined;
}

type Counted = { -readonly [Key in keyof Meter]: Meter[Key] };

/**
 * What the calls of some days used, by meter and price: the lines of their receipts, added up while
 * they are read step by step, so the memory is that of the groups. Estimates have no lines, and a
 * correction leaves what the platform has counted.
 */
export async function readMeters(
  store: Pick<Store, 'read'>,
  wanted: MetersOf,
  platformOf: Names['platform'],
  progress: Progress,
): Promise<readonly Meter[]> {
  const meters = new Map<string, Counted>();
  const priceOf = createPrices(store);
  const beforeId = firstCallIdAt(Date.parse(wanted.to) + dayMs + idSlackMs);
  let afterId = firstCallIdAt(Date.parse(wanted.from) - idSlackMs);
  let day = '';
  for (;;) {
    const step = { ...wanted, afterId, beforeId, limit: stepCalls };
    const calls = await store.read(selectAttemptedCalls(step));
    const [first, last] = [calls[0], calls.at(-1)];
    if (first === undefined || last === undefined) break;
    if (last.day !== day) progress(`counts of ${last.day}`);
    day = last.day;
    const rows = calls.some(hasAttemptRows)
      ? await store.read(selectAttemptsBetween(first.callId, last.callId))
      : [];
    const byCall = Map.groupBy(rows, ({ callId }) => callId);
    const attempts = attemptsIn(calls, byCall);
    const prices = await priceOf(attempts.map(({ attempt }) => attempt.priceVersion));
    await eachInTurns(attempts, ({ call, attempt }) => {
      const { priceVersion: version = '', usageModel: model, platform = '' } = attempt;
      const price = prices.get(version);
      if (price === undefined) return;
      const named = platform === '' ? platformOf(model) : platform;
      const group = { day: call.day, app: call.app, platform: named, model };
      for (const meter of metersOf(attempt, version, price)) count(meters, { ...group, ...meter });
    });
    if (calls.length < stepCalls) break;
    afterId = last.callId;
  }
  return [...meters.values()];
}

interface OfCall {
  readonly call: CallRecord;
  readonly attempt: Attempt;
}

function attemptsIn(
  calls: readonly CallRecord[],
  rows: ReadonlyMap<string, readonly Attempt[]>,
): readonly OfCall[] {
  return calls.flatMap((call) => {
    const attempts = hasAttemptRows(call) ? (rows.get(call.callId) ?? []) : notedAttempts(call);
    return attempts.filter(isCounted).map((attempt) => ({ call, attempt }));
  });
}

/** Whether its price and its counts are known: a correction says nothing against them. */
function isCounted({ basis, isCounted: isWhole, priceVersion }: Attempt): boolean {
  if (isUnpriced(priceVersion)) return false;
  return basis === 'exact' || (basis === 'corrected' && isWhole);
}

/** Prices by their versions, each read once. */
function createPrices(store: Pick<Store, 'read'>) {
  const known = new Map<string, Price>();
  const asked = new Set<string>();
  return async (versions: readonly (string | undefined)[]): Promise<ReadonlyMap<string, Price>> => {
    for (const version of versions) {
      if (version === undefined || asked.has(version)) continue;
      asked.add(version);
      const price = await store.read(selectRates(version));
      if (price !== null) known.set(version, price);
    }
    return known;
  };
}

type OfAttempt = Omit<Meter, 'day' | 'app' | 'platform' | 'model'>;

/** None where they come to more than the attempt is booked with: then they are not its price. */
function metersOf(attempt: Attempt, version: string, price: Price): readonly OfAttempt[] {
  const lines = attemptLines({ ...attempt, basis: 'exact' }, price);
  const meters: OfAttempt[] = [];
  let sum = 0n;
  for (const { kind, tokens, usdPerMillion, count: uses, usdEach, tool, amount } of lines) {
    const ofTokens = tokens !== null;
    const quantity = tokens ?? uses;
    const unitPrice = ofTokens ? parseUsdPerMillion(usdPerMillion ?? '') : parseUsd(usdEach ?? '');
    if (quantity === undefined || unitPrice === undefined) continue;
    const details = ofTokens ? detailsOf(attempt, version, price) : {};
    const named = tool === undefined ? details : { ...details, x_Tool: tool };
    const above = 'x_AboveInputTokens' in details ? `above ${details.x_AboveInputTokens}` : '';
    sum += amount;
    meters.push({
      name: [wordsOf(kind), tool ?? ''].filter((word) => word !== '').join(' '),
      unit: ofTokens ? 'Tokens' : kind === 'request' ? 'Requests' : 'Uses',
      priceId: [version, kind, tool ?? above].filter((part) => part !== '').join('/'),
      details: named,
      ...{ unitPrice, quantity: BigInt(quantity) },
    });
  }
  return attempt.basis === 'exact' && sum > attempt.cost ? [] : meters;
}

/** What the price of a token depends on: tier, region and length of the input. */
function detailsOf({ tokens }: Attempt, version: string, price: Price): Meter['details'] {
  const [, ofTier = '', ofRegion = ''] = version.split(':');
  const tier = ofTier || price.terms?.tier;
  const region = ofRegion || price.terms?.region;
  const rates = ratesFor(price, tokens.inputTokens);
  return {
    ...(tier !== undefined && { x_Tier: tier }),
    ...(region !== undefined && { x_Region: region }),
    ...('aboveInputTokens' in rates && { x_AboveInputTokens: Number(rates.aboveInputTokens) }),
  };
}

/** `cachedInput` as `Cached Input`: a kind of tokens that is new has its name by itself. */
function wordsOf(kind: string): string {
  const words = kind.replaceAll(/[A-Z]|\d+h/g, (start) => ` ${start}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function count(meters: Map<string, Counted>, meter: Meter) {
  const { day, app, platform, model, priceId } = meter;
  const key = JSON.stringify([day, app, platform, model, priceId]);
  const known = meters.get(key);
  if (known === undefined) meters.set(key, { ...meter });
  else known.quantity += meter.quantity;
}
