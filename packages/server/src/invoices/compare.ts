import type { InvoiceLine } from './invoice-line.ts';

export type Verdict = (typeof verdicts)[number];

/**
 * `explained`: within the tolerance for estimates and calls around midnight. `untagged`: without a
 * project; `foreign`: no app has the project; `open`: nothing, or too little, imported so far.
 */
export const verdicts = [
  ...(['equal', 'explained', 'over', 'under', 'untagged', 'foreign', 'open'] as const),
] as const;

/** In pico-USD, by the day on which attempts ended. */
export interface BookedSum {
  readonly day: string;
  readonly app: string;
  /** The platform's name, without a date. */
  readonly model: string;
  readonly exact: bigint;
  readonly estimated: bigint;
  /** Attempts so near midnight that the platform may count them on the other day. */
  readonly band: bigint;
}

export type LineOwner =
  | { readonly kind: 'app'; readonly app: string }
  | { readonly kind: 'untagged' }
  | { readonly kind: 'foreign' };

export interface Comparison {
  readonly booked: readonly BookedSum[];
  readonly lines: readonly InvoiceLine[];
  readonly ownerOf: (line: InvoiceLine) => LineOwner;
  /** Undefined if nothing was imported. */
  readonly isFinal: (day: string) => boolean | undefined;
}

export interface ComparedRow {
  readonly day: string;
  /** Undefined if no app owns it. */
  readonly app: string | undefined;
  readonly projects: readonly string[];
  /** Undefined if the platform names none: the day is compared as a whole. */
  readonly model: string | undefined;
  readonly exact: bigint;
  readonly estimated: bigint;
  readonly band: bigint;
  readonly invoice: bigint;
  readonly tolerance: bigint;
  readonly verdict: Verdict;
  readonly isFinal: boolean;
}

/** In the order of day, app and model. */
export function compare(comparison: Comparison): readonly ComparedRow[] {
  const cells = new Map<string, Cell>();
  const cellAt = (day: string, owner: LineOwner, model: string) => {
    const app = owner.kind === 'app' ? owner.app : undefined;
    const key = [day, owner.kind, app, model].join('\n');
    const cell = cells.get(key) ?? emptyCell({ day, app, owner: owner.kind, model });
    cells.set(key, cell);
    return cell;
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
    .sort(compareRows);
}

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

function emptyCell(identity: Pick<Cell, 'day' | 'app' | 'owner' | 'model'>): Cell {
  const sums = { exact: 0n, estimated: 0n, band: 0n, invoice: 0n, tolerance: 0n };
  return { ...identity, ...sums, projects: new Set() };
}

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
  // A day that is not final may still grow, but hardly ever shrinks.
  return isFinal ? 'under' : 'open';
}

function compareRows(a: ComparedRow, b: ComparedRow): number {
  return orderOf(a) < orderOf(b) ? -1 : 1;
}

function orderOf({ day, app, model, verdict }: ComparedRow): string {
  return [day, app === undefined ? `~${verdict}` : app, model ?? ''].join('\n');
}
