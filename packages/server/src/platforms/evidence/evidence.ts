import { type Doubt, type EstimateReason, noDoubts } from '../../domain/doubt.ts';
import { valuesGivenTwice } from '../../lib/given-twice.ts';
import { fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../port.ts';
import { contradiction, hasCount, mostExpensive, noUsage } from './merge.ts';
import { isInDoubt, withDoubts } from './reported-usage.ts';

/** Reads the counts of a response, or of an event that has a `usage` like one. */
export type ReadUsage = (response: unknown) => ReportedUsage;

/**
 * What one statement of a response reports: its counts, and what contradicts them or the request.
 * `text` is the JSON that it was read from, of which `holder` is the field with the response, where
 * it is not all of it; without a text nothing can be given twice.
 */
export function readStatement(
  response: unknown,
  readUsage: ReadUsage,
  text = '',
  holder?: string,
): ReportedUsage {
  if (!isRecord(response)) return readUsage(response);
  const at = text.indexOf(usageName);
  // Most are written as they would be again, which has each name once.
  const isOnce =
    at === text.lastIndexOf(usageName) &&
    text.startsWith(`:${JSON.stringify(response.usage)}`, at + usageName.length) &&
    !text.includes('\\u00');
  const isStated = response.usage !== undefined;
  const given = isOnce || !isStated ? undefined : valuesGivenTwice(text, 'usage', holder);
  if (given === undefined) {
    const doubts = doubtsAboutTerms(response);
    const usage = readUsage(response);
    return doubts.length === 0 ? usage : withDoubts(usage, doubts);
  }
  const read = given.map((usage) => {
    const one = { ...response, usage };
    return withDoubts(readUsage(one), doubtsAboutTerms(one));
  });
  const stated = read.filter(hasCount);
  const all = stated.reduce((one, other) => mostExpensive(one, other), stated[0] ?? noUsage);
  // A part of one reading may be above a whole of another: together they may fit.
  const mayFit = read.some((one) => !isInDoubt(one, 'impossible-counts'));
  const doubts = read.flatMap((one) => one.doubts);
  return {
    ...all,
    doubts: [
      ...(mayFit ? doubts.filter(({ reason }) => reason !== 'impossible-counts') : doubts),
      contradiction,
    ],
  };
}

const usageName = '"usage"';

/**
 * What a response reports of the terms of its price: a tier, a region or a speed other than the
 * priced one, and tools of the platform that were not requested. Every request is sent in the
 * priced tier, and none requests a server tool.
 */
export function doubtsAboutTerms(response: Readonly<Record<string, unknown>>): readonly Doubt[] {
  const { output, content } = response;
  const usage = isRecord(response.usage) ? response.usage : nothing;
  const doubts: Doubt[] = [];
  for (const { field, reason, priced } of terms) {
    if (!priced.has(response[field])) doubts.push({ reason, name: field });
    if (!priced.has(usage[field])) doubts.push({ reason, name: `usage.${field}` });
  }
  const { num_search_queries: searches, server_tool_use: tools } = usage;
  if (typeof searches === 'number' && searches !== 0) {
    doubts.push({ reason: 'server-tool', name: 'usage.num_search_queries' });
  }
  if (tools !== undefined) addTools(tools, doubts);
  if (Array.isArray(output)) addItems(output, 'output', doubts);
  if (Array.isArray(content)) addItems(content, 'content', doubts);
  return doubts.length === 0 ? noDoubts : doubts;
}

/** The tool of the platform that a part of a response is a call of; undefined for other parts. */
export function doubtAboutItem(item: unknown, list: 'output' | 'content'): Doubt | undefined {
  const type = fieldOf(item, 'type');
  if (typeof type !== 'string') return undefined;
  const isTool =
    list === 'output' ? type.endsWith('_call') && !callersTools.has(type) : serverBlocks.has(type);
  return isTool ? { reason: 'server-tool', name: `${list}.${nameOf(type)}` } : undefined;
}

/** Whether a tier of a response is the priced one. */
export function isPricedTier(tier: unknown): boolean {
  return pricedTiers.has(tier);
}

const nothing: Readonly<Record<string, unknown>> = {};
const unstated = [undefined, null, ''];

/** `on_demand` is Groq's word; `standard_only` is what Anthropic is asked for. */
const pricedTiers = new Set<unknown>([
  ...unstated,
  ...['default', 'standard', 'standard_only', 'auto', 'on_demand'],
]);

const terms: readonly {
  readonly field: string;
  readonly reason: EstimateReason;
  readonly priced: ReadonlySet<unknown>;
}[] = [
  { field: 'service_tier', reason: 'other-tier', priced: pricedTiers },
  { field: 'speed', reason: 'other-tier', priced: new Set([...unstated, 'standard']) },
  {
    field: 'inference_geo',
    reason: 'other-region',
    priced: new Set([...unstated, 'global', 'not_available']),
  },
];

/** Calls that the caller runs, at no cost. */
const callersTools = new Set([
  ...['function_call', 'custom_tool_call', 'local_shell_call', 'computer_call'],
  ...['shell_call', 'apply_patch_call'],
]);
const serverBlocks = new Set(['server_tool_use', 'mcp_tool_use']);

function addTools(tools: unknown, doubts: Doubt[]) {
  if (!isRecord(tools)) return;
  for (const [name, count] of Object.entries(tools)) {
    if (typeof count !== 'number' || count === 0) continue;
    doubts.push({ reason: 'server-tool', name: `usage.server_tool_use.${nameOf(name)}` });
  }
}

function addItems(items: readonly unknown[], list: 'output' | 'content', doubts: Doubt[]) {
  for (const item of items) {
    const doubt = doubtAboutItem(item, list);
    if (doubt !== undefined) doubts.push(doubt);
  }
}

/** A platform's word goes to the log: none that is longer or of other letters. */
function nameOf(word: string): string {
  return /^\w{1,64}$/.test(word) ? word : 'other';
}
