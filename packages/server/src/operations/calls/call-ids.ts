import { unlessUnknown } from '../admin-error.ts';
import { type AdminContext, readingAside } from '../context.ts';
import { findCall } from './calls.ts';
import type { CallDocument, HoldDocument } from './documents.ts';
import { findCalls } from './find-calls.ts';

/**
 * The id of the call that a text names: its own, its request's, or a platform's id, which is looked
 * for in the newest calls for 2 s at most. Undefined for one that is not known, or not among these
 * apps.
 */
export async function findCallId(
  operator: AdminContext,
  text: string,
  apps: readonly string[] | undefined,
): Promise<string | undefined> {
  const call = await callOrNone(readingAside(operator), text);
  if (call !== undefined) return apps?.includes(call.app) === false ? undefined : call.id;
  if (text.startsWith('call_')) return undefined;
  const { calls } = await findCalls(operator, { ...anyCall, apps, upstreamId: text, limit: 1 });
  return calls[0]?.id;
}

/** A call by its own id or its request's; undefined where there is none. */
export function callOrNone(
  context: AdminContext,
  id: string,
): Promise<CallDocument | HoldDocument | undefined> {
  return unlessUnknown(findCall(context, id));
}

/** A search for every call. */
export const anyCall = {
  ...{ app: undefined, userId: undefined, keyId: undefined, model: undefined, code: undefined },
  ...{ since: undefined, until: undefined, minPicoUsd: undefined, isEstimated: false },
  after: undefined,
} as const;
