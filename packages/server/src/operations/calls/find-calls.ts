import type { CallRecord } from '../../books/rows.ts';
import { firstCallIdAt, madeAt } from '../../lib/id.ts';
import {
  type CallFilter,
  selectMatchingCalls,
  selectStep,
} from '../../store/queries/call-search.ts';
import { appRow } from '../apps/apps.ts';
import { AdminError, unlessUnknown } from '../context/admin-error.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { CallDocument, HoldDocument } from '../documents/calls.ts';
import type { CallsPage } from '../documents/calls-pages.ts';
import { summarizeCalls } from './call-summary.ts';
import { findCall } from './calls.ts';

export interface CallSearch extends CallFilter {
  /** The last call of the previous page; undefined for the newest. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export interface CallSearchPage extends Omit<CallsPage, 'items'> {
  readonly calls: CallsPage['items'];
}

/** The time limit of a search; the last read may exceed it. */
export const searchMs = 2_000;
/** Small enough to release the database soon. */
export const searchedAtOnce = 4_000;
/** An id contains its request's time by the process's clock. */
export const idSlackMs = 3_600_000;

/**
 * Newest first: one page, or the calls found in 2 s. Reads go back by id in small ranges. Throws an
 * AdminError for an unregistered app.
 */
export async function findCalls(
  context: AdminContext,
  search: CallSearch,
  stepRows = searchedAtOnce,
): Promise<CallSearchPage> {
  const readContext = withOperatorReads(context);
  const { store, clock } = readContext;
  const { app, since, until, limit } = search;
  if (app !== undefined) await appRow(readContext, app);
  const untilMs = Math.min(until ?? clock.now(), clock.now()) + idSlackMs;
  const from = firstCallIdAt(since === undefined ? 0 : since - idSlackMs);
  const endMs = clock.monotonic() + searchMs;
  const matches: CallRecord[] = [];
  let before = search.after ?? firstCallIdAt(untilMs);
  for (;;) {
    const step = await store.read(selectStep({ from, before }, stepRows));
    if (step.oldest === undefined) return pageOf(store, matches, ended);
    const range = { from: step.oldest, before };
    matches.push(...(await store.read(selectMatchingCalls(range, search, limit - matches.length))));
    const last = matches.at(-1);
    if (last !== undefined && matches.length >= limit) {
      return pageOf(store, matches, { after: last.callId, searchedBackTo: null });
    }
    if (step.rows < stepRows) return pageOf(store, matches, ended);
    before = step.oldest;
    if (clock.monotonic() >= endMs) {
      const searchedBackTo = isoOf(madeAt(before));
      return pageOf(store, matches, { after: before, searchedBackTo });
    }
  }
}

const ended = { after: null, searchedBackTo: null };

async function pageOf(
  store: AdminContext['store'],
  matches: readonly CallRecord[],
  end: Pick<CallSearchPage, 'after' | 'searchedBackTo'>,
): Promise<CallSearchPage> {
  return { calls: await summarizeCalls(store, matches), ...end };
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/**
 * Takes a call id, a request id or a platform's id. The last is searched in the newest calls for 2
 * s at most. Undefined also for a call outside these apps.
 */
export async function findCallId(
  operator: AdminContext,
  text: string,
  apps: readonly string[] | undefined,
): Promise<string | undefined> {
  const call = await callOrNone(withOperatorReads(operator), text);
  if (call !== undefined) return apps?.includes(call.app) === false ? undefined : call.id;
  if (text.startsWith('call_')) return undefined;
  const { calls } = await findCalls(operator, { ...anyCall, apps, upstreamId: text, limit: 1 });
  return calls[0]?.id;
}

export function callOrNone(
  context: AdminContext,
  id: string,
): Promise<CallDocument | HoldDocument | undefined> {
  return unlessUnknown(findCall(context, id));
}

export const anyCall = {
  ...{ app: undefined, userId: undefined, keyId: undefined, model: undefined, code: undefined },
  ...{ since: undefined, until: undefined, minPicoUsd: undefined, isEstimated: false },
  after: undefined,
} as const;

export function noSuchCall(id: string): AdminError {
  return new AdminError(`unknown call ${JSON.stringify(id)}`, { isUnknown: true });
}
