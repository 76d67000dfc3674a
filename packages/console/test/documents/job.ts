import type { Job } from '@model-gateway/server/operations/documents';

/** A running audit. */
export const runningAudit: Job = {
  ...{ id: 'job_1', kind: 'audit', state: 'running', position: null, percent: 40 },
  ...{ text: 'holds of 2026-11-22', fileName: null, error: null },
  ...{ startedAt: '2026-11-22T14:59:00.000Z', endedAt: null },
};

/** An audit that found one broken rule. */
export const finishedAudit: Job = {
  ...{ ...runningAudit, state: 'done', percent: 100, endedAt: '2026-11-22T15:00:00.000Z' },
  result: {
    checks: [
      { id: 'L1', rule: 'no budget is overdrawn', ok: true, figure: 0 },
      { id: 'L2', rule: 'every hold has a call', ok: false, figure: 3 },
    ],
  },
};

/** An audit that failed. */
export const failedAudit: Job = {
  ...{ ...runningAudit, state: 'failed', error: 'The store does not answer' },
};

/** An audit without rules. */
export const emptyAudit: Job = { ...finishedAudit, result: { checks: [] } };
