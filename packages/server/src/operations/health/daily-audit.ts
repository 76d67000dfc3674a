import type { Catalog } from '../../catalog/catalog.ts';
import type { ComparedRow, Verdict } from '../../invoices/compare.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import type { AlertEvent } from '../../notify/events.ts';
import { selectInvoicePlatforms } from '../../store/queries/invoices.ts';
import { selectPruneHorizon } from '../../store/sums/prune-calls.ts';
import { listLines } from '../audit-log/audit-log.ts';
import { auditLine } from '../context/audit-line.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import { compareDays } from '../reconcile/reconcile-show.ts';
import { auditLedger } from './audit.ts';

/** Marks the service's own audits in the audit log. */
const auditEntry = { action: 'ledger.audit', subject: 'ledger' } as const;

export async function wasAuditedSince(context: AdminContext, sinceMs: number): Promise<boolean> {
  const { subject, action } = auditEntry;
  const search = { subject, actor: undefined, since: sinceMs, limit: 10 };
  return (await listLines(context, search)).some((line) => line.action === action);
}

export interface DailyAudit {
  readonly broken: readonly string[];
  readonly events: readonly AlertEvent[];
}

/**
 * Checks the ledger and the last 35 days' invoices as the commands do, and writes an audit line. It
 * may take minutes, and reads on a connection that no call waits for.
 */
export async function auditDay(context: AdminContext, catalog: Catalog): Promise<DailyAudit> {
  const { store, clock } = context;
  const nowMs = clock.now();
  const { checks } = await auditLedger(context);
  const broken = checks.filter(({ ok }) => !ok).map(({ id }) => id);
  const drifts = await driftsOf(context, catalog, nowMs);
  const after = broken.length === 0 ? 'clean' : `broken: ${broken.join(', ')}`;
  await store.write([auditLine(context, { ...auditEntry, after })]);
  const day = utcDayOf(nowMs);
  const breach: AlertEvent = {
    ...{ type: 'audit.breach', subject: 'ledger', period: day, mark: '', atMs: nowMs },
    data: { day, rules: broken.join(', ') },
  };
  return { broken, events: [...(broken.length === 0 ? [] : [breach]), ...drifts] };
}

const dayMs = 86_400_000;
const comparedDays = 35;
/** Smaller drift is not reported: $10, or 1 % of the invoice. */
const driftPicoUsd = 10n * 10n ** 12n;
const driftPart = 100n;
/** Excludes open invoices and explained differences. */
const drifting: readonly Verdict[] = ['over', 'under', 'untagged', 'foreign'];

async function driftsOf(
  context: AdminContext,
  catalog: Catalog,
  nowMs: number,
): Promise<readonly AlertEvent[]> {
  const readContext = withOperatorReads(context);
  const platforms = await readContext.store.read(selectInvoicePlatforms);
  if (platforms.length === 0) return [];
  const horizon = (await readContext.store.read(selectPruneHorizon)) ?? '';
  const first = utcDayOf(nowMs - comparedDays * dayMs);
  const range = { from: first < horizon ? horizon : first, to: utcDayOf(nowMs) };
  const compared = await compareDays(readContext, catalog, { ...range, platforms });
  return compared.flatMap(({ platform, rows }) => {
    const ofDay = Map.groupBy(
      rows.filter(({ verdict, isFinal }) => isFinal && drifting.includes(verdict)),
      ({ app = '', day }) => `${day} ${app}`,
    );
    return [...ofDay.values()].flatMap((drifted) => driftOf(platform, drifted, nowMs));
  });
}

/** Empty where the total difference is small. */
function driftOf(
  platform: string,
  rows: readonly ComparedRow[],
  atMs: number,
): readonly AlertEvent[] {
  const [first] = rows;
  if (first === undefined) return [];
  const { day, app } = first;
  const invoice = sumOf(rows, (row) => row.invoice);
  const booked = sumOf(rows, (row) => row.exact + row.estimated);
  const difference = invoice - booked;
  const size = difference < 0n ? -difference : difference;
  if (size <= driftPicoUsd && size * driftPart <= invoice) return [];
  return [
    {
      ...{ type: 'invoice.drift', period: day, mark: platform, atMs },
      subject: app === undefined ? `platform:${platform}` : `app:${app}`,
      apps: app === undefined ? undefined : [app],
      data: {
        ...{ platform, app: app ?? 'no app', day },
        invoiceUsd: formatUsd(invoice),
        bookedUsd: formatUsd(booked),
        differenceUsd: formatUsd(difference),
      },
    },
  ];
}

function sumOf(rows: readonly ComparedRow[], pick: (row: ComparedRow) => bigint): bigint {
  return rows.reduce((sum, row) => sum + pick(row), 0n);
}
