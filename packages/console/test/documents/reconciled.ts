import type {
  DaySettled,
  InvoiceImported,
  ReconciledPage,
} from '@model-gateway/server/operations/documents';

/** A day that can be settled, and an invoice line without an app. */
export const reconciled: ReconciledPage = {
  items: [
    {
      ...{ platform: 'openai', day: '2026-11-20', app: 'search', projects: ['proj_9'] },
      ...{ model: 'gpt-5.4', exactUsd: '48.5', estimatedUsd: '1.509', bandUsd: '1' },
      ...{ invoiceUsd: '50', differenceUsd: '-0.009', verdict: 'explained', isFinal: true },
    },
    {
      ...{ platform: 'openai', day: '2026-11-21', app: null, projects: ['proj_8'], model: null },
      ...{ exactUsd: '0', estimatedUsd: '0', bandUsd: '0', invoiceUsd: '12.345' },
      ...{ differenceUsd: '12.345', verdict: 'foreign', isFinal: false },
    },
  ],
  after: null,
};

/** A month without calls and invoices. */
export const nothingReconciled: ReconciledPage = { items: [], after: null };

/** The import of an invoice of two days. */
export const invoiceImported: InvoiceImported = {
  ...{ dryRun: false, changes: [] },
  result: {
    ...{ platform: 'openai', days: ['2026-11-20', '2026-11-21'], changedDays: ['2026-11-21'] },
    ...{ lines: 17, totalUsd: '62.345', roundedAmounts: 0, skippedRows: 0, sourceHash: 'h' },
    isRepeated: false,
  },
};

/** The settlement of a day. */
export const daySettled: DaySettled = {
  ...{ dryRun: false, changes: [] },
  result: [
    {
      ...{ platform: 'openai', day: '2026-11-20', app: 'search', model: 'gpt-5.4', calls: 3 },
      ...{ beforeUsd: '1.509', afterUsd: '1.5' },
    },
  ],
};
