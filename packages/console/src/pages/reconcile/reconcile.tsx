import type {
  DaySettled,
  InvoiceImported,
  ReconciledDocument,
  ReconciledPage,
} from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { dayAfter, dayOf } from '../../data/days.ts';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/who.ts';
import { withQuery } from '../../data/with-query.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { ExactUsd, Usd } from '../../parts/values.tsx';
import { shareOf, sumUsd } from '../../text/amounts.ts';
import { UploadInvoice } from './upload-invoice.tsx';

type Row = ReconciledDocument;

export function ReconcileView() {
  const { query, route } = useLocation();
  const mayBook = useMay('money');
  const month = query.month ?? dayOf(Date.now()).slice(0, 7);
  const read = useRead<ReconciledPage>(withQuery('/reconcile', { month }));
  return (
    <>
      <PageHead title="Reconcile" note="Days are UTC" />
      <search class="filters">
        <label>
          Month
          <input
            type="month"
            value={month}
            onChange={({ currentTarget }) =>
              route(withQuery('/console/reconcile', { month: currentTarget.value }), true)
            }
          />
        </label>
      </search>
      {mayBook && (
        <div class="actions">
          <UploadInvoice again={read.again} />
          <FetchInvoice again={read.again} />
        </div>
      )}
      <Shown of={read}>
        {({ items }) => (
          <>
            <Sums rows={items} />
            <DataTable
              caption={`Invoices of ${month} beside the books`}
              heads={headsFor(mayBook, read.again)}
              rows={items}
              keyOf={({ platform, day, app, model, verdict, projects }) =>
                [platform, day, app, model, verdict, ...projects].join('\n')
              }
              empty="No call is booked in this month and no invoice was imported. Upload one to see whether it is what the books say."
            />
          </>
        )}
      </Shown>
    </>
  );
}

function Sums({ rows }: { readonly rows: readonly Row[] }) {
  const sum = (name: 'exactUsd' | 'estimatedUsd' | 'invoiceUsd' | 'differenceUsd') =>
    sumUsd(rows.map((row) => row[name]));
  const seen = [...new Set(rows.map(({ verdict }) => verdict))];
  if (rows.length === 0) return null;
  return (
    <section aria-label="The month">
      <p>
        Invoice <ExactUsd of={sum('invoiceUsd')} /> · booked exactly <Usd of={sum('exactUsd')} /> ·
        estimated <Usd of={sum('estimatedUsd')} /> · difference <Usd of={sum('differenceUsd')} /> (
        {shareOf(sum('differenceUsd'), sum('invoiceUsd'))})
      </p>
      <dl class="facts">
        {seen.map((verdict) => (
          <div key={verdict}>
            <dt>
              {verdict} · {rows.filter((row) => row.verdict === verdict).length} rows
            </dt>
            <dd>{verdicts[verdict]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function headsFor(mayBook: boolean, again: () => void): readonly Head<Row>[] {
  return [
    { head: 'Day', cell: ({ day, isFinal }) => `${day}${isFinal ? ' (final)' : ''}` },
    { head: 'Platform', cell: ({ platform }) => platform },
    { head: 'App', cell: ({ app, projects }) => app ?? (projects.join(', ') || '–') },
    { head: 'Model', cell: ({ model }) => model ?? 'all' },
    { head: 'Booked exactly', isNumber: true, cell: ({ exactUsd }) => <Usd of={exactUsd} /> },
    { head: 'Estimated', isNumber: true, cell: ({ estimatedUsd }) => <Usd of={estimatedUsd} /> },
    { head: 'Invoice', isNumber: true, cell: ({ invoiceUsd }) => <Usd of={invoiceUsd} /> },
    { head: 'Difference', isNumber: true, cell: ({ differenceUsd: of }) => <Usd of={of} /> },
    {
      head: 'Drift',
      isNumber: true,
      cell: ({ differenceUsd, invoiceUsd }) => shareOf(differenceUsd, invoiceUsd),
    },
    { head: 'Verdict', cell: ({ verdict }) => <span title={verdicts[verdict]}>{verdict}</span> },
    {
      head: 'Calls',
      cell: ({ app, day }) =>
        app !== null && (
          <a
            href={withQuery('/console/spend', { app, from: day, to: day, by: 'model' })}
            aria-label={`Booked calls of ${app} on ${day}`}
          >
            Booked calls
          </a>
        ),
    },
    {
      head: 'Settle',
      cell: ({ day, verdict, isFinal }) =>
        mayBook && isFinal && verdict === 'explained' && <SettleDay day={day} again={again} />,
    },
  ];
}

function SettleDay({ day, again }: { readonly day: string; readonly again: () => void }) {
  return (
    <ChangeDialog<DaySettled>
      label={`Settle ${day}`}
      title={`Settle ${day}`}
      confirm={day}
      verb="Book the invoice"
      operation="reconcile settle"
      given={{ day }}
      onChanged={again}
    >
      <p>
        Estimates of calls of this day become what the invoice leaves for them. No wallet changes.
      </p>
    </ChangeDialog>
  );
}

function FetchInvoice({ again }: { readonly again: () => void }) {
  const yesterday = dayAfter(dayOf(Date.now()), -1);
  return (
    <ChangeDialog<InvoiceImported>
      label="Fetch invoice"
      title="Fetch costs from a platform"
      operation="reconcile fetch"
      asks={{
        platform: 'Platform',
        from: { label: 'First day', value: `${yesterday.slice(0, 7)}-01` },
        to: { label: 'Last day', value: yesterday },
      }}
      verb="Fetch"
      onChanged={again}
    />
  );
}

const verdicts: Readonly<Record<ReconciledDocument['verdict'], string>> = {
  equal: 'OK: the invoice is what is booked.',
  explained:
    'OK: the difference is within what estimates, or calls around midnight, leave open. Settle the day once it is final.',
  over: 'Problem: the platform bills more than was ever asked for by the gateway. Look for another caller of the project, such as a leaked key; then for a wrong price, which shows as the same share on one model.',
  under:
    'Problem: the platform bills less than it has stated itself. A price that fell: correct it in the file. Or a discount.',
  untagged:
    'Problem: the line names no project. Activate the tags at the platform, and bind the projects.',
  foreign:
    'Problem: the project is of no app. Another user of the account, or a project that was bound until then.',
  open: 'Open: no invoice of that day yet, or less than is booked so far. Wait, and import again.',
};
