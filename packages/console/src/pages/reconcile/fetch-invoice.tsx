import type { InvoiceImported } from '@model-gateway/server/operations/documents';
import { dayAfter, dayOf } from '../../data/days.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';

export function FetchInvoice({ again }: { readonly again: () => void }) {
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
