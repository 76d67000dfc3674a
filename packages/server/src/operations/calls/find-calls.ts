import type { CallRecord } from '../../books/rows.ts';
import { firstCallIdAt, madeAt } from '../../lib/id.ts';
import { formatUsd } from '../../lib/money.ts';
import { type CallFilter, selectFound, selectStep } from '../../store/queries/call-search.ts';
import { appRow } from '../apps/apps.ts';
import { type AdminContext, readingAside } from '../context.ts';
import type { CallsPage, FoundCall } from './list-documents.ts';

/** What is looked for, and from where on. */
export interface CallSearch extends CallFilter {
  /** The last call of the page before; undefined for the newest. */
  readonly after: string | undefined;
  /** How many calls a page has at most. */
  readonly limit: number;
}

/** A page of a search, the newest first. */
export interface FoundCalls extends Omit<CallsPage, 'items'> {
  readonly calls: CallsPage['items'];
}

/** How long a search may take, but for its last read. */
export const searchMs = 2_000;
/** Calls that one read looks through: it holds no database for long. */
export const searchedAtOnce = 4_000;
/** An id is as old as its request, and was made by the clock of the process that took it. */
export const idSlackMs = 3_600_000;

/**
 * Finished calls, the newest first: a page of them, or those of as much time as could be looked
 * through in 2 s. Reads go back by ids, a small range each. Throws an AdminError for an app that is
 * not registered.
 */
export async function findCalls(
  context: AdminContext,
  search: CallSearch,
  stepRows = searchedAtOnce,
): Promise<FoundCalls> {
  const reading = readingAside(context);
  const { store, clock } = reading;
  const { app, since, until, limit } = search;
  if (app !== undefined) await appRow(reading, app);
  const untilMs = Math.min(until ?? clock.now(), clock.now()) + idSlackMs;
  const from = firstCallIdAt(since === undefined ? 0 : since - idSlackMs);
  const endMs = clock.monotonic() + searchMs;
  const found: CallRecord[] = [];
  let before = search.after ?? firstCallIdAt(untilMs);
  for (;;) {
    const step = await store.read(selectStep({ from, before }, stepRows));
    if (step.oldest === undefined) return pageOf(found, null, null);
    const range = { from: step.oldest, before };
    found.push(...(await store.read(selectFound(range, search, limit - found.length))));
    const last = found.at(-1);
    if (last !== undefined && found.length >= limit) return pageOf(found, last.callId, null);
    if (step.rows < stepRows) return pageOf(found, null, null);
    before = step.oldest;
    if (clock.monotonic() >= endMs) return pageOf(found, before, isoOf(madeAt(before)));
  }
}

function pageOf(
  found: readonly CallRecord[],
  after: string | null,
  searchedBackTo: string | null,
): FoundCalls {
  return { calls: found.map(lineOf), after, searchedBackTo };
}

/** A call as lists show it. */
export function lineOf(call: CallRecord): FoundCall {
  return {
    id: call.callId,
    startedAt: isoOf(call.startedAt),
    app: call.app,
    keyId: call.keyId ?? null,
    userId: call.userId ?? null,
    model: call.model,
    platform: call.platform ?? null,
    code: call.code,
    costUsd: formatUsd(call.cost),
    estimatedUsd: formatUsd(call.estimated),
    basis: call.basis,
  };
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
