import type {
  InvoiceImported,
  ReconciledPage,
  Spend,
} from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { dayAfter, dayOf, daysOfMonth } from '../../data/days.ts';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Picker } from '../../parts/picker.tsx';
import { ReadFailure, Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Count, Usd } from '../../parts/values.tsx';
import { once } from '../../text/once.ts';
import { ByDay } from './by-day.tsx';
import { Lines } from './lines.tsx';
import { MonthTotals } from './month.tsx';
import { UploadInvoice } from './upload-invoice.tsx';

export function ReconcileView() {
  const { query, route } = useLocation();
  const mayBook = useMay('money');
  const month = query.month ?? dayOf(Date.now()).slice(0, 7);
  const [from, to] = daysOfMonth(month);
  const read = useRead<ReconciledPage>(withQuery('/reconcile', { month }));
  const spend = useRead<Spend>(withQuery('/spend', { from, to, by: 'app' }));
  const booked = { spend: spend.data?.total, name: monthName(month) };
  const spendHref = withQuery('/console/spend', { from, to, by: 'app' });
  return (
    <>
      <PageHead
        title="Reconcile"
        note={`Platform invoices and the ledger, ${monthName(month)}, UTC days`}
      >
        <Picker
          label="Month"
          options={monthsUntil(month)}
          chosen={[month]}
          set={([next]) => route(withQuery('/console/reconcile', { month: next }), true)}
        />
        {mayBook && (
          <>
            <FetchInvoice again={read.again} />
            <UploadInvoice again={read.again} />
          </>
        )}
      </PageHead>
      <ReadFailure of={spend} />
      <Shown of={read}>
        {({ items }) =>
          items.length === 0 ? (
            <NoInvoice {...booked} href={spendHref} />
          ) : (
            <>
              <MonthTotals rows={items} booked={booked.spend} href={spendHref} />
              <ByDay rows={items} mayBook={mayBook} again={read.again} />
              <Lines rows={items} />
            </>
          )
        }
      </Shown>
    </>
  );
}

interface BookedProps {
  readonly spend: Spend['total'] | undefined;
  readonly name: string;
  readonly href: string;
}

/** Before the first invoice the ledger's side exists already. */
function NoInvoice({ spend, name, href }: BookedProps) {
  const has = spend !== undefined && spend.calls > 0;
  return (
    <Card title="Comparison" isFlush>
      <Empty icon="switched" title={`No invoice for ${name}`}>
        <p>
          {has ? (
            <>
              The ledger has{' '}
              <a href={href}>
                <Count of={spend.calls} /> {spend.calls === 1 ? 'call' : 'calls'}, in total{' '}
                <Usd of={spend.costUsd} />
              </a>
              . Upload an invoice, or fetch the costs of a platform, to compare them.
            </>
          ) : (
            'The ledger has no calls in this month. Upload an invoice to compare it with the ledger.'
          )}
        </p>
      </Empty>
    </Card>
  );
}

function FetchInvoice({ again }: { readonly again: () => void }) {
  const yesterday = dayAfter(dayOf(Date.now()), -1);
  return (
    <ChangeDialog<InvoiceImported>
      label="Fetch invoice"
      title="Fetch costs from a platform"
      operation="reconcile fetch"
      formFields={{
        platform: 'Platform',
        from: { label: 'First day', value: `${yesterday.slice(0, 7)}-01` },
        to: { label: 'Last day', value: yesterday },
      }}
      verb="Fetch"
      onChanged={again}
    />
  );
}

const monthsShown = 12;

function monthsUntil(chosen: string) {
  const now = new Date();
  const months = Array.from({ length: monthsShown }, (_, ago) =>
    dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).slice(0, 7),
  );
  const all = months.includes(chosen) ? months : [...months, chosen];
  return all.map((value) => ({ value, text: monthName(value) }));
}

function monthName(month: string): string {
  return names().format(new Date(`${month}-01`));
}

const names = once(
  () => new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);
