import type { InvoiceLine } from './invoice-line.ts';

/** What a platform's invoice of an app, a UTC day and a model is beside our books. */
export type Verdict = (typeof verdicts)[number];

/**
 * `equal`: the invoice is what is booked; `explained`: it is within what estimates and calls around
 * midnight leave open; `over` and `under`: it is not; `untagged`: the platform names no project;
 * `foreign`: the project is no app's; `open`: nothing was imported yet, or too little so far.
 */
export const verdicts = [
  ...(['equal', 'explained', 'over', 'under', 'untagged', 'foreign', 'open'] as const),
] as const;

/** What is booked of an app, the day that attempts ended on, and a model, pico-USD. */
export interface BookedSum {
  readonly day: string;
  readonly app: string;
  /** As the platform names it, without a date. */
  readonly model: string;
  readonly exact: bigint;
  readonly estimated: bigint;
  /** What ended so near to a midnight that the platform may have it on the other day. */
  readonly band: bigint;
}

/** Whose a line is. */
export type LineOwner =
  | { readonly kind: 'app'; readonly app: string }
  | { readonly kind: 'untagged' }
  | { readonly kind: 'foreign' };

/** What is compared: one platform, some days. */
export interface Comparison {
  readonly booked: readonly BookedSum[];
  readonly lines: readonly InvoiceLine[];
  readonly ownerOf: (line: InvoiceLine) => LineOwner;
  /** What is known of a day's invoice; undefined where nothing was imported. */
  readonly isFinal: (day: string) => boolean | undefined;
}

/** One line of the comparison. */
export interface ComparedRow {
  readonly day: string;
  /** Undefined for what is no app's. */
  readonly app: string | undefined;
  /** Those that the invoice names. */
  readonly projects: readonly string[];
  /** Undefined where the platform does not say, so that the day is compared as a whole. */
  readonly model: string | undefined;
  readonly exact: bigint;
  readonly estimated: bigint;
  readonly band: bigint;
  readonly invoice: bigint;
  readonly tolerance: bigint;
  readonly verdict: Verdict;
  readonly isFinal: boolean;
}

/** Compares what a platform bills with what is booked, by day, app and model, in that order. */
export function compare(comparison: Comparison): readonly ComparedRow[] {
  const cells = new Map<string, Cell>();
  const cellAt = (day: string, owner: LineOwner, model: string) => {
    const app = owner.kind === 'app' ? owner.app : undefined;
    const key = [day, owner.kind, app, model].join('\n');
    const found = cells.get(key) ?? emptyCell({ day, app, owner: owner.kind, model });
    cells.set(key, found);
    return found;
  };
  const unnamed = daysWithoutModels(comparison);
  const modelAt = (day: string, app: string, model: string) =>
    unnamed.has(`${day}\n${app}`) ? '' : model;
  for (const sum of comparison.booked) {
    const { day, app } = sum;
    const cell = cellAt(day, { kind: 'app', app }, modelAt(day, app, sum.model));
    cell.exact += sum.exact;
    cell.estimated += sum.estimated;
    cell.band += sum.band;
  }
  for (const line of comparison.lines) {
    const owner = comparison.ownerOf(line);
    const named = line.kind === 'tokens' ? undatedModel(line.model) : `(${line.kind})`;
    const app = owner.kind === 'app' ? owner.app : '';
    const cell = cellAt(line.day, owner, modelAt(line.day, app, named));
    cell.invoice += line.amount;
    cell.tolerance += line.tolerance;
    if (line.project !== '') cell.projects.add(line.project);
  }
  return [...cells.values()]
    .filter(({ exact, estimated, invoice }) => exact !== 0n || estimated !== 0n || invoice !== 0n)
    .map((cell) => rowOf(cell, comparison.isFinal(cell.day)))
    .sort(byPlace);
}

/** A platform's name of a model without the date of its release, which not all names have. */
export function undatedModel(model: string): string {
  return model.replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d)$/, '');
}

interface Cell {
  readonly day: string;
  readonly app: string | undefined;
  readonly owner: LineOwner['kind'];
  readonly model: string;
  readonly projects: Set<string>;
  exact: bigint;
  estimated: bigint;
  band: bigint;
  invoice: bigint;
  tolerance: bigint;
}

function emptyCell(place: Pick<Cell, 'day' | 'app' | 'owner' | 'model'>): Cell {
  const sums = { exact: 0n, estimated: 0n, band: 0n, invoice: 0n, tolerance: 0n };
  return { ...place, ...sums, projects: new Set() };
}

/** Days of apps of which a line names no model: what it is of is not known. */
function daysWithoutModels({ lines, ownerOf }: Comparison): ReadonlySet<string> {
  const days = new Set<string>();
  for (const line of lines) {
    if (line.kind !== 'tokens' || line.model !== '') continue;
    const owner = ownerOf(line);
    if (owner.kind === 'app') days.add(`${line.day}\n${owner.app}`);
  }
  return days;
}

function rowOf(cell: Cell, isFinal: boolean | undefined): ComparedRow {
  const { owner, projects, model, ...sums } = cell;
  return {
    ...sums,
    projects: [...projects].sort(),
    model: model === '' ? undefined : model,
    verdict: verdictOf(cell, isFinal),
    isFinal: isFinal === true,
  };
}

function verdictOf(cell: Cell, isFinal: boolean | undefined): Verdict {
  const { owner, exact, estimated, band, invoice, tolerance } = cell;
  if (owner !== 'app') return owner;
  if (isFinal === undefined) return 'open';
  const difference = invoice - exact - estimated;
  if (difference <= tolerance && -difference <= tolerance) return 'equal';
  if (difference > band + tolerance) return 'over';
  if (invoice + band + tolerance >= exact) return 'explained';
  // More may come of a day that is not final, and less hardly ever.
  return isFinal ? 'under' : 'open';
}

function byPlace(a: ComparedRow, b: ComparedRow): number {
  return orderOf(a) < orderOf(b) ? -1 : 1;
}

function orderOf({ day, app, model, verdict }: ComparedRow): string {
  return [day, app === undefined ? `~${verdict}` : app, model ?? ''].join('\n');
}
