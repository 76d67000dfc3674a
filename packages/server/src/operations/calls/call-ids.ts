import { AdminError, unlessUnknown } from '../context/admin-error.ts';
import { type AdminContext, readingAside } from '../context/context.ts';
import type { CallDocument, HoldDocument } from '../documents/calls.ts';
import { findCall } from './calls.ts';
import { findCalls } from './find-calls.ts';

/**
 * Takes a call id, a request id or a platform's id, which is searched in the newest calls for 2 s
 * at most. Undefined also for a call outside these apps.
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

/** By its own id or its request's. */
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
  return new AdminError(`there is no call ${JSON.stringify(id)}`, { isUnknown: true });
}
