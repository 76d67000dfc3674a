import { apiErrors, gatewayErrors } from '@model-gateway/contract';
import { type RefusalHour, selectRefusals } from '../store/queries/refusals.ts';
import { appRow } from './apps.ts';
import { type AdminContext, readingAside } from './context.ts';

/** Requests of an app that were refused for one reason within an hour. */
export interface Refusal {
  /** The start of the hour. */
  readonly at: string;
  readonly app: string;
  readonly code: string;
  readonly count: number;
  readonly lastAt: string;
  /** As the last caller was told it, or when such a request is refused. */
  readonly lastMessage: string;
  readonly lastRequestId: string | null;
}

const hourMs = 3_600_000;

/**
 * The refusals of an app in this hour and those before, so many in all, the newest first. Throws an
 * AdminError for an app that is not there.
 */
export async function refusalsOfApp(
  context: AdminContext,
  app: string,
  hours: number,
): Promise<readonly Refusal[]> {
  await appRow(readingAside(context), app);
  const since = hourOf(context.clock.now()) - (hours - 1) * hourMs;
  return (await context.store.readAside(selectRefusals(since, app))).map(refusalDocument);
}

/** When the hour of a moment began. */
export function hourOf(epochMs: number): number {
  return Math.floor(epochMs / hourMs) * hourMs;
}

/** A row of them, as operators read it. */
export function refusalDocument(row: RefusalHour): Refusal {
  const { app, code, refused: count, lastMessage, lastRequestId } = row;
  return {
    ...{ at: new Date(row.hour).toISOString(), app, code, count },
    lastAt: new Date(row.lastAt).toISOString(),
    lastMessage: lastMessage ?? sentences.get(code) ?? 'the request was refused',
    lastRequestId: lastRequestId ?? null,
  };
}

const sentences: ReadonlyMap<string, string> = new Map(
  [...Object.entries(gatewayErrors), ...Object.entries(apiErrors)].map(([code, { when }]) => [
    code,
    when,
  ]),
);
