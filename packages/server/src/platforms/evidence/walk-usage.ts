import { type Doubt, type EstimateReason, noDoubts } from '../../domain/doubt.ts';
import type { ModalityPart } from '../../domain/rates.ts';
import { fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../model/port.ts';
import type { CostLine } from '../statements/costs.ts';
import type { CountLine, CountMeaning } from '../statements/counts.ts';
import type { NumberLine } from '../statements/numbers.ts';
import { fittedUsage } from './reported-usage.ts';
import {
  isTimeOrRate,
  isUnknownCost,
  modalityPart,
  nameOf,
  otherModalities,
  useOf,
} from './usage-numbers.ts';
import { doubtAbout, isPriced, type UsageNode } from './usage-tree.ts';

export interface ParsedCount {
  value: number;
  least: number;
  readonly lines: CountLine[];
}

const doubtsMax = 32;

const depthMax = 8;

interface UsagePosition {
  readonly path: string;
  readonly depth: number;
  readonly holder: unknown;
}

/**
 * Reads each name once. A nonzero number without a line is in doubt, and also a fraction with a
 * money name; other fractions are times and rates. A class for speed: each response has one.
 */
export class ParsedUsage {
  readonly counts: Record<CountMeaning, ParsedCount | undefined> = {
    input: undefined,
    'more-input': undefined,
    cached: undefined,
    uncached: undefined,
    written: undefined,
    'written-5m': undefined,
    'written-1h': undefined,
    output: undefined,
    reasoning: undefined,
    total: undefined,
  };
  /** Every count has one name, is within its whole, and is in {@link counts}. */
  isPlain = true;
  broken: CountLine[] | undefined;
  hasTwoCached = false;
  cost: { readonly picoUsd: bigint; readonly name: string } | undefined;
  addedPicoUsd = 0n;
  parts: Partial<Record<ModalityPart, number>> | undefined;
  #doubts: Doubt[] | undefined;
  readonly #usage: object;

  constructor(usage: object, root: UsageNode, path: string) {
    this.#usage = usage;
    this.#walk(usage, root, path, 0);
  }

  /** Only valid when {@link isPlain}. */
  plain(): ReportedUsage {
    const { counts } = this;
    const inputTokens = counts.input?.value;
    const cachedInputTokens = counts.cached?.value;
    const cacheWriteInputTokens = counts.written?.value;
    const outputTokens = counts.output?.value;
    const reasoningTokens = counts.reasoning?.value;
    const input = { inputTokens, cachedInputTokens, cacheWriteInputTokens };
    const total = counts.total?.value;
    const fits =
      inputTokens !== undefined &&
      outputTokens !== undefined &&
      (cachedInputTokens ?? 0) + (cacheWriteInputTokens ?? 0) <= inputTokens &&
      (reasoningTokens ?? 0) <= outputTokens &&
      (total === undefined || total === inputTokens + outputTokens);
    // Most counts fit and need no correction.
    return fits
      ? { ...input, outputTokens, reasoningTokens, doubts: noDoubts }
      : fittedUsage({ ...input, outputTokens, reasoningTokens }, total);
  }

  /** Not shared: callers may change the list. */
  doubts(): Doubt[] {
    return this.#doubts ?? [];
  }

  #walk(holder: object, node: UsageNode | undefined, path: string, depth: number) {
    if (depth > depthMax) return this.#doubt('unknown-number', path);
    for (const [name, value] of Object.entries(holder)) {
      const next = node?.below.get(name) ?? node?.any;
      const line = next?.count;
      // This branch handles most values; few platforms write the others.
      const isCount = Number.isSafeInteger(value) && value >= 0;
      if (isCount && line !== undefined && this.counts[line.means] === undefined) {
        this.counts[line.means] = { value, least: value, lines: [line] };
        if (line.isNotPlain === true) this.isPlain = false;
      } else if (isCount && value === 0 && line === undefined) {
      } else if (value !== null && value !== undefined) {
        if (typeof value !== 'object' || next?.term !== undefined || Array.isArray(value))
          this.#take(value, next, { path: `${path}.${name}`, depth, holder });
        else if (next?.number?.means !== 'free') {
          if (isUnknownCost(value, next)) this.#doubt('unknown-number', `${path}.${name}`);
          this.#walk(value, next, `${path}.${name}`, depth + 1);
        }
      }
    }
  }

  #take(value: unknown, node: UsageNode | undefined, position: UsagePosition) {
    const { path } = position;
    if (node?.term !== undefined) {
      if (!isPriced(node.term, value)) this.#add(doubtAbout(node.term, nameOf(path), value));
    } else if (Array.isArray(value)) this.#takeList(value, node, position);
    else if (node?.count !== undefined) this.#takeCount(node.count, value, path);
    else if (node?.cost !== undefined) this.#takeCost(node.cost, value, path);
    else if (typeof value === 'number' && value !== 0) this.#takeNumber(value, node, position);
  }

  #takeList(list: readonly unknown[], node: UsageNode | undefined, { path, depth }: UsagePosition) {
    // The turns of a model add up to the whole, which is also reported.
    if (node?.number?.means === 'free') return;
    if (depth === 0 && path.endsWith('.iterations')) {
      this.isPlain = false;
      return;
    }
    for (const item of list) {
      if (isRecord(item)) this.#walk(item, node, path, depth + 1);
      // A list is not a count.
      else if (node?.count !== undefined) this.#break(node.count, 'a list', path);
      else if (depth < depthMax) this.#take(item, node, { path, depth: depth + 1, holder: list });
      else this.#doubt('unknown-number', path);
    }
  }

  #takeCount(line: CountLine, value: unknown, path: string) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      return this.#break(line, value, path);
    const before = this.counts[line.means];
    if (before === undefined) return;
    this.isPlain = false;
    before.lines.push(line);
    if (value === before.value) return;
    const isWhole = line.means === 'input' || line.means === 'output';
    // Some gateways send 0 under a second name of the whole.
    const isFilled = isWhole && (value === 0 || before.value === 0);
    before.value = Math.max(value, before.value);
    before.least = isFilled ? before.value : Math.min(value, before.least);
    if (isFilled) return;
    if (line.means === 'cached') this.hasTwoCached = true;
    else this.#doubt('contradicting-counts', path);
  }

  #break(line: CountLine, value: unknown, path: string) {
    if (value === '' || value === false) return;
    this.isPlain = false;
    this.broken ??= [];
    this.broken.push(line);
    if (line.means === 'input' || line.means === 'output') return;
    const isWrite = line.means.startsWith('written');
    this.#doubt(isWrite ? 'impossible-counts' : 'unknown-number', path);
  }

  #takeCost({ addedWhere, power }: CostLine, value: unknown, path: string) {
    const isAdded = addedWhere !== undefined;
    if (isAdded && fieldOf(this.#usage, addedWhere) !== true) return;
    if (value === '' || typeof value === 'boolean') return;
    const picoUsd = costOf(value, power);
    if (picoUsd === undefined) return this.#doubt('unknown-number', path);
    this.isPlain = false;
    if (isAdded) this.addedPicoUsd += picoUsd;
    else if (picoUsd > (this.cost?.picoUsd ?? 0n)) this.cost = { picoUsd, name: nameOf(path) };
  }

  #takeNumber(value: number, node: UsageNode | undefined, { path, holder }: UsagePosition) {
    const line = node?.number;
    if (line === undefined) {
      if (!isTimeOrRate(value, path)) this.#doubt('unknown-number', path);
    } else if (line.means === 'modality') this.#takeModality(value, line, { path, holder });
    else if (line.means === 'server-tool') this.#add(useOf(value, line, path));
    else {
      const isPart = line.part !== undefined && this.#takePart(line.part, value, 'named');
      const part = isPart ? { part: line.part } : {};
      if (line.means !== 'free') this.#add({ reason: line.means, name: nameOf(path), ...part });
    }
  }

  #takeModality(
    value: number,
    { within }: NumberLine,
    { path, holder }: Omit<UsagePosition, 'depth'>,
  ) {
    const modality = fieldOf(holder, 'modality');
    const part = within && modalityPart(modality, within);
    const isPart = part !== undefined && this.#takePart(part, value, 'listed');
    if (!otherModalities.has(modality)) return;
    this.#add({ reason: 'other-price', name: nameOf(path), ...(isPart && { part }) });
  }

  /** False for an invalid count. List items are parts of one sum. */
  #takePart(part: ModalityPart, value: number, where: 'named' | 'listed'): boolean {
    if (!Number.isSafeInteger(value) || value < 0) return false;
    this.isPlain = false;
    this.parts ??= {};
    const before = this.parts[part] ?? 0;
    this.parts[part] = where === 'listed' ? before + value : Math.max(before, value);
    return true;
  }

  #doubt(reason: EstimateReason, name: string) {
    this.#add({ reason, name: nameOf(name) });
  }

  #add(doubt: Doubt) {
    this.isPlain = false;
    this.#doubts ??= [];
    // A response can contain any number of names.
    if (this.#doubts.length < doubtsMax) this.#doubts.push(doubt);
  }
}

const powerMax = 400;

/** Rounded up to pico-USD, from the number's digits. Undefined when invalid. */
export function costOf(value: unknown, power: number): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const match = /^(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent) + power;
  if (Math.abs(point) > powerMax) return undefined;
  if (point >= digits.length) return BigInt(digits.padEnd(point, '0'));
  const isMore = /[1-9]/.test(digits.slice(Math.max(point, 0)));
  return BigInt(digits.slice(0, Math.max(point, 0))) + (isMore ? 1n : 0n);
}
