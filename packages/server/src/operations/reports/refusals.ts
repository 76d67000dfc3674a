import { apiErrors, gatewayErrors } from '@model-gateway/contract';
import type { KeyRejectionReason } from '../../domain/key-rejection.ts';
import { type RefusalHour, selectRefusals } from '../../store/queries/refusals.ts';
import { appRow } from '../apps/apps.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { Refusal } from '../documents/reports.ts';

const hourMs = 3_600_000;

/** Newest first. Throws an AdminError for an unknown app. */
export async function refusalsOfApp(
  context: AdminContext,
  app: string,
  hours: number,
): Promise<readonly Refusal[]> {
  await appRow(withOperatorReads(context), app);
  const since = hourOf(context.clock.now()) - (hours - 1) * hourMs;
  return (await context.store.readForOperator(selectRefusals(since, app))).map(refusalDocument);
}

export function hourOf(epochMs: number): number {
  return Math.floor(epochMs / hourMs) * hourMs;
}

export function refusalDocument(row: RefusalHour): Refusal {
  const { app, code, refused: count, lastMessage, lastRequestId } = row;
  return {
    ...{ at: new Date(row.hour).toISOString(), app, code, count },
    lastAt: new Date(row.lastAt).toISOString(),
    lastMessage:
      rejectionOf(row) ?? lastMessage ?? sentences.get(code) ?? 'the request was rejected',
    lastRequestId: lastRequestId ?? null,
  };
}

/** Includes the path and origin of the last such request. */
function rejectionOf({ code, lastMessage }: RefusalHour): string | undefined {
  const reason = reasons.get(code.slice(code.indexOf(':') + 1));
  if (reason === undefined) return undefined;
  return `for operators only: ${[reason, lastMessage].filter(Boolean).join('; last: ')}`;
}

const reasonSentences: Readonly<Record<KeyRejectionReason, string>> = {
  'no-header': 'no key was sent',
  'wrong-scheme': 'the key was sent in a header or scheme that this route does not read',
  'ingress-off': 'the key was sent as a bearer token, and `ingress` is off for this path',
  'two-keys': 'two different keys were sent',
  checksum: 'the key was mistyped or cut off',
  unknown: 'no such key exists',
  disabled: 'the key is disabled',
  ended: 'the key has expired, or the grace period of its rotation is over',
  run: 'the run has ended, does not exist, or may not use this route',
};
const reasons: ReadonlyMap<string, string> = new Map(Object.entries(reasonSentences));

const sentences: ReadonlyMap<string, string> = new Map([
  ...[...Object.entries(gatewayErrors), ...Object.entries(apiErrors)].map(
    ([code, { when }]) => [code, when] as const,
  ),
  ['TOO_MANY_REQUESTS:app-rate', 'All keys of the app together exceed its ratePerSecond'],
]);
