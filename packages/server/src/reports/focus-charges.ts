import { addCorrections, type MonthCorrection } from '../books/month-correction.ts';
import type { UsageSums } from '../books/splits.ts';
import { eachInTurns, sortedInTurns } from '../lib/in-turns.ts';
import { smaller } from '../lib/money.ts';
import { type Names, noSums, type ReportRow } from './report.ts';
import type { Tags } from './tags.ts';

// The rows of a FOCUS file. A report's group is split into the platforms' counts, by meter and
// price, and the amounts that no count explains. The rows add up to the group.

export interface GroupName {
  readonly day: string;
  readonly app: string;
  readonly platform: string;
  readonly model: string;
}

/** At one price: quantity × price is its cost. */
export interface Meter extends GroupName {
  /** A display name, such as `Cached Input`. */
  readonly name: string;
  readonly unit: 'Tokens' | 'Requests' | 'Uses';
  /** Identifies this meter, and one step of one version of a price. */
  readonly priceId: string;
  readonly details: Readonly<Record<string, string | number>>;
  /** Pico-USD. */
  readonly unitPrice: bigint;
  readonly quantity: bigint;
}

export interface FocusCharge extends GroupName {
  readonly project: string;
  readonly tags: Tags;
  readonly month: string;
  /** Whether it corrects an earlier month. */
  readonly isCorrection: boolean;
  /** Undefined for an amount without a unit price. */
  readonly meter: Meter | undefined;
  readonly cost: bigint;
  /** The group's counts are on its first row, each amount on its own row. */
  readonly sums: ChargeSums;
}

type ChargeSums = Pick<UsageSums, (typeof countNames)[number] | (typeof partNames)[number]>;
const countNames = ['calls', 'errors', 'inputTokens', 'outputTokens'] as const;
const partNames = ['estimated', 'corrected', 'unpriced'] as const;

export interface ChargeParts {
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  /** From a report by `focusBy`. */
  readonly rows: readonly ReportRow[];
  readonly meters: readonly Meter[];
  /** Corrections of calls of these days, and corrections made on these days. */
  readonly corrections: readonly MonthCorrection[];
  readonly names: Pick<Names, 'project' | 'platform'>;
  readonly tags: (app: string, day: string) => Tags;
}

/** The month as it was at its end, and its corrections of other months. */
export async function focusCharges(parts: ChargeParts): Promise<readonly FocusCharge[]> {
  const charges: FocusCharge[] = [];
  const add = (group: Group) => {
    for (const charge of chargesOf(group)) charges.push(withNames(charge, parts));
  };
  await eachInTurns(await groupsOf(parts), add, groupsAtOnce);
  for (const charge of correctionsIn(parts)) charges.push(withNames(charge, parts));
  return charges;
}

const groupsAtOnce = 50;

type Unnamed = Omit<FocusCharge, 'project' | 'tags'>;

function withNames(charge: Unnamed, { names, tags }: ChargeParts): FocusCharge {
  const { app, platform, day } = charge;
  return { ...charge, project: names.project(app, platform, day), tags: tags(app, day) };
}

interface Group extends GroupName {
  sums: UsageSums;
  readonly meters: Meter[];
}

async function groupsOf(parts: ChargeParts): Promise<readonly Group[]> {
  const { rows, meters, corrections, names } = parts;
  const groups = new Map<string, Group>();
  const groupAt = ({ day, app, platform, model }: GroupName) => {
    const key = JSON.stringify([day, app, platform, model]);
    const existing = groups.get(key);
    if (existing !== undefined) return existing;
    const made: Group = { ...{ day, app, platform, model }, sums: noSums, meters: [] };
    groups.set(key, made);
    return made;
  };
  await eachInTurns(rows, ({ names: [day = '', app = '', , platform = '', model = ''], sums }) => {
    groupAt({ day, app, platform, model }).sums = sums;
  });
  await eachInTurns(corrections, (correction) => {
    if (!isIn(parts, correction.day)) return;
    const group = groupAt(groupOf(correction, names));
    group.sums = addCorrections(group.sums, correction, -1);
  });
  await eachInTurns(meters, (meter) => void groupAt(meter).meters.push(meter));
  return sortedInTurns([...groups.values()], byName);
}

function isIn({ from, to }: ChargeParts, day: string): boolean {
  return day >= from && day <= to;
}

/** Named like a report's platform for calls without a stored platform. */
function groupOf(
  { day, app, platform, model }: MonthCorrection,
  names: ChargeParts['names'],
): GroupName {
  return { day, app, platform: platform === '' ? names.platform(model) : platform, model };
}

function byName(one: GroupName, other: GroupName): number {
  for (const name of ['day', 'app', 'platform', 'model'] as const)
    if (one[name] !== other[name]) return one[name] < other[name] ? -1 : 1;
  return 0;
}

const none: ChargeSums = noSums;

function chargesOf(group: Group): readonly Unnamed[] {
  const { day, app, platform, model, meters, sums } = group;
  const { cost, estimated, corrected, unpriced } = sums;
  const own = { day, app, platform, model, month: day.slice(0, 7), isCorrection: false };
  const charges: Unnamed[] = meters
    .toSorted((one, other) => (one.priceId < other.priceId ? -1 : 1))
    .map((meter) => ({ ...own, meter, cost: meter.quantity * meter.unitPrice, sums: none }));
  const metered = charges.reduce((sum, charge) => sum + charge.cost, 0n);
  const ofEstimates = smaller(unpriced, estimated);
  if (estimated !== 0n) {
    const parts = { ...none, estimated, unpriced: ofEstimates };
    charges.push({ ...own, meter: undefined, cost: estimated, sums: parts });
  }
  const rest = cost - estimated - metered;
  const parts = { ...none, corrected, unpriced: unpriced - (estimated === 0n ? 0n : ofEstimates) };
  const isAnything = rest !== 0n || corrected !== 0n || parts.unpriced !== 0n;
  // The group was empty, because all of it was booked in a later month.
  const isCounted = countNames.some((name) => sums[name] !== 0);
  if (isAnything || (charges.length === 0 && isCounted))
    charges.push({ ...own, meter: undefined, cost: rest, sums: parts });
  return charges.map((charge, index) => (index === 0 ? withCounts(charge, sums) : charge));
}

function withCounts(charge: Unnamed, counted: UsageSums): Unnamed {
  const { calls, errors, inputTokens, outputTokens } = counted;
  return { ...charge, sums: { ...charge.sums, calls, errors, inputTokens, outputTokens } };
}

/** Corrections of earlier months; the bill of the correction's month contains them. */
function correctionsIn(parts: ChargeParts): readonly Unnamed[] {
  const sums = new Map<string, Unnamed>();
  for (const correction of parts.corrections) {
    if (!isIn(parts, correction.madeDay)) continue;
    const month = correction.madeDay.slice(0, 7);
    const group = groupOf(correction, parts.names);
    const key = JSON.stringify([month, group.day, group.app, group.platform, group.model]);
    const { cost: costBefore = 0n, sums: before = none } = sums.get(key) ?? {};
    const { cost, ...added } = addCorrections({ ...before, cost: costBefore }, correction);
    const name = { ...group, month, isCorrection: true, meter: undefined };
    sums.set(key, { ...name, cost, sums: added });
  }
  return [...sums.values()].filter(({ cost, sums: own }) => {
    const isAmount = cost !== 0n || partNames.some((name) => own[name] !== 0n);
    return isAmount || countNames.some((name) => own[name] !== 0);
  });
}
