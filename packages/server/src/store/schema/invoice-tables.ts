import type { InvoiceLine } from '../../invoices/invoice-line.ts';
import type { ProjectBinding } from './service-tables.ts';
import { table } from './table.ts';

// Invoices of platforms, and the owners of their projects.

export interface StoredInvoiceLine extends InvoiceLine {
  readonly platform: string;
}

export const invoiceLines = table<StoredInvoiceLine>(
  'invoice_line',
  ['platform', 'day', 'project', 'app', 'kind', 'model', 'tokenType'],
  (row, as) => ({
    platform: as.text(row.platform),
    day: as.text(row.day),
    project: as.text(row.project),
    app: as.text(row.app),
    kind: as.text(row.kind),
    model: as.text(row.model),
    tokenType: as.text(row.tokenType),
    quantity: as.optionalBig(row.quantity),
    amount: as.big(row.amount),
    tolerance: as.big(row.tolerance),
  }),
);

export interface InvoiceDay {
  readonly platform: string;
  readonly day: string;
  readonly figureHash: string;
  readonly sourceHash: string;
  readonly changedAt: number;
  readonly seenAt: number;
  readonly isClosed: boolean;
}

export const invoiceDays = table<InvoiceDay>('invoice_day', ['platform', 'day'], (row, as) => ({
  platform: as.text(row.platform),
  day: as.text(row.day),
  figureHash: as.text(row.figureHash),
  sourceHash: as.text(row.sourceHash),
  changedAt: as.int(row.changedAt),
  seenAt: as.int(row.seenAt),
  isClosed: as.flag(row.isClosed),
}));

export interface ProjectSpan extends ProjectBinding {
  readonly since: number;
  /** Undefined while it lasts. */
  readonly until: number | undefined;
}

export const projectSpans = table<ProjectSpan>(
  'project_history',
  ['app', 'platform', 'projectId', 'since'],
  (row, as) => ({
    app: as.text(row.app),
    platform: as.text(row.platform),
    projectId: as.text(row.projectId),
    since: as.int(row.since),
    until: as.optionalInt(row.until),
  }),
);
