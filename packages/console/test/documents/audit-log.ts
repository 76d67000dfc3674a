import type { LinesPage } from '@model-gateway/server/operations/documents';

/** Two changes, with older ones on the next page. */
export const auditLog: LinesPage = {
  items: [
    {
      ...{ id: 'line_2', at: '2026-11-22T14:00:00.000Z', actor: 'ada@acme.example' },
      ...{ action: 'app.update', subject: 'search', reason: 'the launch', reference: 'T-12' },
      ...{ before: '{"dailyBudgetUsd":"20"}', after: '{"dailyBudgetUsd":"50"}' },
      ...{ callId: null, via: 'console' },
    },
    {
      ...{ id: 'line_1', at: '2026-11-22T13:00:00.000Z', actor: 'cli', action: 'app.create' },
      ...{ subject: 'tutor', before: null, after: 'enabled', reason: null, reference: null },
      ...{ callId: null, via: null },
    },
  ],
  after: 'line_1',
};

/** The last page of the log. */
export const olderAuditLog: LinesPage = {
  items: auditLog.items.slice(1).map((line) => ({ ...line, id: 'line_0', subject: 'the oldest' })),
  after: null,
};

export const noAuditLog: LinesPage = { items: [], after: null };
