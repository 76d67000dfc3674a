import { type Doubt, noDoubts } from '../../domain/doubt.ts';
import { findDuplicateValues } from '../../lib/duplicate-values.ts';
import { valueStart, valueText } from '../../lib/json-text.ts';
import { fieldOf, isRecord, parseJson } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../model/port.ts';
import { type ToolLine, toolLines } from '../statements/tools.ts';
import { contradiction, hasCount, mostExpensive, noUsage, withCostOf } from './merge.ts';
import { isInDoubt, withDoubts } from './reported-usage.ts';
import { nameOf } from './usage-numbers.ts';
import { doubtAbout, isPriced, termsOf, type UsageLines, usageLines } from './usage-tree.ts';

export type ReadUsage = (response: unknown) => ReportedUsage;

/**
 * Counts, and contradictions among them or with the request. `text`: the source JSON, needed to
 * find duplicates; `holder`: its field with the response, if the response is only a part.
 */
export function readStatement(
  response: unknown,
  readUsage: ReadUsage,
  text = '',
  holder?: string,
): ReportedUsage {
  if (!isRecord(response)) return readUsage(response);
  const at = text.indexOf(usageName);
  // Most texts equal their own serialization, which has each name once.
  const isOnce =
    at === text.lastIndexOf(usageName) &&
    text.startsWith(`:${JSON.stringify(response.usage)}`, at + usageName.length) &&
    !text.includes('\\u00');
  const given = isOnce || at === -1 ? undefined : givenTwice(response, text, holder);
  if (given === undefined) {
    const doubts = doubtsAboutTerms(response, text, holder);
    const usage = readUsage(response);
    return doubts.length === 0 ? usage : withDoubts(usage, doubts);
  }
  const read = given.map((usage) => {
    const one = { ...response, usage };
    return withDoubts(readUsage(one), doubtsAboutTerms(one, text, holder));
  });
  const counted = read.filter(hasCount);
  const all = counted.reduce((one, other) => mostExpensive(one, other), counted[0] ?? noUsage);
  // A part of one version may exceed the whole of another, although both together fit.
  const mayFit = read.some((one) => !isInDoubt(one, 'impossible-counts'));
  const doubts = read.flatMap((one) => one.doubts);
  return {
    ...withCostOf(all, ...read),
    doubts: [
      ...(mayFit ? doubts.filter(({ reason }) => reason !== 'impossible-counts') : doubts),
      contradiction,
    ],
  };
}

const usageName = '"usage"';

function givenTwice(
  response: Readonly<Record<string, unknown>>,
  text: string,
  holder: string | undefined,
): readonly unknown[] | undefined {
  if (response.usage !== undefined || text.indexOf(usageName) === text.lastIndexOf(usageName))
    return findDuplicateValues(text, 'usage', holder);
  const given = new Set<string>();
  let at = text.indexOf(usageName);
  while (at !== -1 && given.size < valuesMax) {
    const start = valueStart(text, at + usageName.length);
    if (start !== -1) given.add(valueText(text, start));
    at = text.indexOf(usageName, at + usageName.length);
  }
  if (given.size < 2) return undefined;
  return Array.from(given, (value) => parseJson(value)?.value);
}

const valuesMax = 8;

/**
 * Finds a tier, region or speed other than the priced one, and server tools that were not
 * requested. Every request uses the priced tier and requests no server tool. Reads both of
 * duplicate terms.
 */
export function createTermReader(lines: Pick<UsageLines, 'terms' | 'pricedWords'>) {
  const terms = termsOf(lines);
  return (
    response: Readonly<Record<string, unknown>>,
    text = '',
    holder?: string,
  ): readonly Doubt[] => {
    const { output, content } = response;
    const doubts: Doubt[] = [];
    for (const term of terms) {
      const value = response[term.field];
      if (value === undefined) continue;
      const isPlain = isPriced(term, value) && !isTwice(text, term.quoted);
      const given = isPlain ? undefined : findDuplicateValues(text, term.field, holder);
      if (isPlain || (given ?? [value]).every((one) => isPriced(term, one))) continue;
      // Two values are not one word.
      doubts.push(doubtAbout(term, term.field, given === undefined ? value : given));
    }
    if (Array.isArray(output)) addItems(output, 'output', doubts);
    if (Array.isArray(content)) addItems(content, 'content', doubts);
    return doubts.length === 0 ? noDoubts : doubts;
  };
}

function isTwice(text: string, part: string): boolean {
  return text !== '' && text.indexOf(part) !== text.lastIndexOf(part);
}

export const doubtsAboutTerms = createTermReader(usageLines);

export function createToolReader(lines: readonly ToolLine[]) {
  const byType = new Map(lines.map((line) => [`${line.list} ${line.type}`, line.runs]));
  const ends = lines.flatMap(({ list, type, runs }) =>
    type.startsWith('*') ? [{ list, end: type.slice(1), runs }] : [],
  );
  return (item: unknown, list: ToolLine['list']): Doubt | undefined => {
    const type = fieldOf(item, 'type');
    if (typeof type !== 'string') return undefined;
    const runs =
      byType.get(`${list} ${type}`) ??
      ends.find((line) => line.list === list && type.endsWith(line.end))?.runs;
    if (runs !== 'platform') return undefined;
    const doubt = { reason: 'server-tool', name: nameOf(`${list}.${type}`) } as const;
    const tool = list === 'content' ? fieldOf(item, 'name') : type.replace(/_call$/, '');
    return typeof tool === 'string' && /^\w{1,32}$/.test(tool) ? { ...doubt, tool } : doubt;
  };
}

const doubtAboutItem = createToolReader(toolLines);

export function doubtsAboutItem(item: unknown, list: ToolLine['list']): readonly Doubt[] {
  const doubt = doubtAboutItem(item, list);
  return doubt === undefined ? noDoubts : [doubt];
}

function addItems(items: readonly unknown[], list: ToolLine['list'], doubts: Doubt[]) {
  for (const item of items) {
    const doubt = doubtAboutItem(item, list);
    if (doubt !== undefined) doubts.push(doubt);
  }
}
