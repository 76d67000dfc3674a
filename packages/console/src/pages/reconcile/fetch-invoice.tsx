import type { InvoiceImported } from '@model-gateway/server/operations/documents';
import { send } from '../../data/client.ts';
import { dayAfter, dayOf } from '../../data/days.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';

/** Asks a platform that tells of its costs by itself for some days. */
export function FetchInvoice({ again }: { readonly again: () => void }) {
  const yesterday = dayAfter(dayOf(Date.now()), -1);
  return (
    <ChangeDialog<InvoiceImported>
      label="Fetch invoice"
      title="Fetch costs from a platform"
      fields={[
        { name: 'platform', label: 'Platform', hint: 'One whose costs can be asked for' },
        { name: 'from', label: 'First day', value: `${yesterday.slice(0, 7)}-01` },
        { name: 'to', label: 'Last day', value: yesterday },
      ]}
      verb="Fetch"
      send={({ values: { platform, from, to }, common }) =>
        send('POST', '/reconcile/fetch', { ...common, platform, from, to })
      }
      onChanged={again}
    />
  );
}
