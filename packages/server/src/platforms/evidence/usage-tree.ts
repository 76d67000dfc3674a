import type { Doubt } from '../../domain/doubt.ts';
import type { CostLine } from '../statements/costs.ts';
import { costLines } from '../statements/costs.ts';
import { type CountLine, countLines } from '../statements/counts.ts';
import { type NumberLine, numberLines } from '../statements/numbers.ts';
import {
  type PricedWordLine,
  pricedWordLines,
  type TermLine,
  termLines,
} from '../statements/terms.ts';

export interface UsageLines {
  readonly counts: readonly CountLine[];
  readonly numbers: readonly NumberLine[];
  readonly costs: readonly CostLine[];
  readonly terms: readonly TermLine[];
  readonly pricedWords: readonly PricedWordLine[];
}

export const usageLines: UsageLines = {
  counts: countLines,
  numbers: numberLines,
  costs: costLines,
  terms: termLines,
  pricedWords: pricedWordLines,
};

export interface TreeCount extends CountLine {
  readonly isNotPlain: boolean;
}

const notPlain: readonly string[] = ['more-input', 'uncached', 'written-5m', 'written-1h'];

export interface UsageNode {
  readonly below: ReadonlyMap<string, UsageNode>;
  readonly any: UsageNode | undefined;
  readonly count: TreeCount | undefined;
  readonly number: NumberLine | undefined;
  readonly cost: CostLine | undefined;
  readonly term: Term | undefined;
}

export interface Term {
  readonly field: string;
  readonly quoted: string;
  readonly reason: TermLine['reason'];
  readonly priced: ReadonlySet<unknown>;
}

export function termsOf({ terms, pricedWords }: Pick<UsageLines, 'terms' | 'pricedWords'>) {
  return terms.map(({ field, reason }): Term => {
    const words = pricedWords.filter((line) => line.field === field);
    return {
      field,
      quoted: JSON.stringify(field),
      reason,
      priced: new Set(words.map(({ word }) => word)),
    };
  });
}

/** True when unreported; ignores case. */
export function isPriced({ priced }: Term, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'string' && (priced.has(value) || priced.has(value.toLowerCase()));
}

export function doubtAbout(term: Term, name: string, value: unknown): Doubt {
  const isWord = typeof value === 'string' && value.length <= wordLengthMax;
  return { reason: term.reason, name, ...(isWord && { word: value.toLowerCase() }) };
}

const wordLengthMax = 32;

interface Draft {
  readonly below: Map<string, Draft>;
  any: Draft | undefined;
  count: TreeCount | undefined;
  number: NumberLine | undefined;
  cost: CostLine | undefined;
  term: Term | undefined;
}

/** Merges the lines, so each name needs one lookup. */
export function usageTree(lines: UsageLines): UsageNode {
  const root = emptyNode();
  for (const line of lines.counts) {
    const { apart, hasLifetime, means, path } = line;
    const isPart = apart !== undefined && means !== 'input' && means !== 'output';
    const isNotPlain = isPart || hasLifetime === true || notPlain.includes(means);
    nodeAt(root, path).count = { ...line, isNotPlain };
  }
  for (const number of lines.numbers) nodeAt(root, number.path).number = number;
  for (const cost of lines.costs) nodeAt(root, cost.path).cost = cost;
  for (const term of termsOf(lines)) nodeAt(root, term.field).term = term;
  return root;
}

function nodeAt(root: Draft, path: string): Draft {
  let node = root;
  for (const name of path.split('.')) {
    const next = (name === '*' ? node.any : node.below.get(name)) ?? emptyNode();
    if (name === '*') node.any = next;
    else node.below.set(name, next);
    node = next;
  }
  return node;
}

function emptyNode(): Draft {
  return {
    ...{ below: new Map(), any: undefined, count: undefined },
    ...{ number: undefined, cost: undefined, term: undefined },
  };
}
