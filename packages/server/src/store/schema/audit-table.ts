import type { ChainedLine } from './audit-chain.ts';
import { table } from './table.ts';

export const auditLines = table<ChainedLine>('audit_log', ['id'], (row, as) => ({
  id: as.text(row.id),
  at: as.int(row.at),
  actor: as.text(row.actor),
  action: as.text(row.action),
  subject: as.text(row.subject),
  before: as.optionalText(row.before),
  after: as.optionalText(row.after),
  reason: as.optionalText(row.reason),
  reference: as.optionalText(row.reference),
  callId: as.optionalText(row.callId),
  seq: as.optionalInt(row.seq),
  kid: as.optionalText(row.kid),
  hmac: as.optionalText(row.hmac),
  via: as.optionalText(row.via),
}));
