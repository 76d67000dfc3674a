import type { CallFields } from '@model-gateway/contract';
import type { Log } from '../lib/log.ts';
import { formatUsd } from '../lib/money.ts';
import type { ReservedCall } from './model/call.ts';
import type { AttemptRecord, Generated } from './model/generated.ts';
import type { RunParts } from './parts.ts';

/**
 * Logs inexact counts, and costs above the reservation, which violate the assumption of the
 * budgets.
 */
export function logOverrun(
  { log, warnOfDoubts }: Pick<RunParts, 'log' | 'warnOfDoubts'>,
  call: ReservedCall<CallFields>,
  { attempts, heldPicoUsd: held }: Generated,
  cost: bigint,
) {
  for (const attempt of attempts) {
    logImpossibleCounts(log, call, attempt);
    if (attempt.doubts.length > 0) warnOfDoubts(attempt.candidate.model.platform, attempt.doubts);
  }
  if (cost <= held) return;
  const { callId, app } = call.facts;
  const amounts = { costUsd: formatUsd(cost), heldUsd: formatUsd(held) };
  const line = { callId, app, model: call.request.model, ...amounts };
  log.error(line, 'call cost exceeded its reservation; full cost booked');
}

/** Logged even if within the reservation: either the maximum cost or the platform is wrong. */
function logImpossibleCounts(
  log: Log,
  call: ReservedCall<CallFields>,
  { candidate: { bound, model }, impossible: reported }: AttemptRecord,
) {
  if (reported === undefined) return;
  const { callId, app } = call.facts;
  const bounds = { inputTokensMax: bound.inputTokens, outputTokensMax: bound.outputTokens };
  const { reportedCost: _, ...counts } = reported;
  const line = { callId, app, model: model.id, stated: counts, ...bounds };
  log.error(
    line,
    'platform reported impossible token counts; the larger of reported and maximum cost was booked',
  );
}

/** Its caller received TIMEOUT or ABORTED; `finalCode` is the real end. */
export function logLateSettlement(
  { log }: Pick<RunParts, 'log'>,
  { facts: { callId, app } }: ReservedCall<CallFields>,
  { last }: Generated,
  finalCode: string,
) {
  const line = { callId, app, late: finalCode, isEstimated: last.basis === 'estimated' };
  log.info(line, 'call settled after its caller timed out or disconnected');
}
