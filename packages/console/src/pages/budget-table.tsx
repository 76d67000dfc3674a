import type {
  BudgetChanged,
  BudgetsPage,
  BudgetUseDocument,
} from '@model-gateway/server/operations/documents';
import { useRead } from '../data/read.ts';
import { useMay } from '../data/who.ts';
import { ChangeDialog } from '../parts/change-dialog.tsx';
import { DataTable, type Head } from '../parts/data-table.tsx';
import { Shown } from '../parts/shown.tsx';
import { Count, Usd } from '../parts/values.tsx';

const spans = { day: 'dailyUsd', month: 'monthlyUsd' } as const;

export function BudgetTable() {
  const read = useRead<BudgetsPage>('/budgets');
  const mayOperate = useMay('operate');
  const columns: readonly Head<BudgetUseDocument>[] = [
    { head: 'Budget', cell: ({ name }) => name },
    { head: 'Of', cell: ({ apps }) => (Array.isArray(apps) ? apps.join(', ') : (apps ?? '–')) },
    { head: 'A', cell: ({ span, period }) => `${span}: ${period}` },
    { head: 'Acts', cell: actText },
    { head: 'Cap', isNumber: true, cell: ({ capUsd }) => <Usd of={capUsd} /> },
    { head: 'Spent', isNumber: true, cell: ({ spentUsd }) => <Usd of={spentUsd} /> },
    { head: 'Held', isNumber: true, cell: ({ heldUsd }) => <Usd of={heldUsd} /> },
    { head: 'Left', isNumber: true, cell: ({ remainingUsd }) => <Usd of={remainingUsd} /> },
    {
      head: 'Change',
      cell: (budget) => mayOperate && <CapDialog of={budget} again={read.again} />,
    },
  ];
  return (
    <section>
      <h2>Budgets beside an app's own day</h2>
      <Shown of={read}>
        {({ items }) => (
          <DataTable
            caption="Budgets"
            heads={columns}
            rows={items}
            keyOf={({ name, span }) => `${name} ${span}`}
            empty="None. Groups of apps, months, users and keys with a cap of their own are here: the file declares them under budgets."
          />
        )}
      </Shown>
    </section>
  );
}

function actText({ mode, wouldRefuse, closedAt }: BudgetUseDocument) {
  if (closedAt !== null) return 'closed by a restore';
  if (mode === 'enforce') return 'refuses';
  return (
    <>
      only counts: would have refused <Count of={wouldRefuse.calls} />
    </>
  );
}

function CapDialog({ of, again }: { readonly of: BudgetUseDocument; readonly again: () => void }) {
  const { name, span, capUsd } = of;
  return (
    <ChangeDialog<BudgetChanged>
      label="Cap"
      title={`Cap of ${name}, a ${span}`}
      operation="budgets set"
      given={{ scope: name }}
      asks={{
        [spans[span]]: { label: `USD a ${span}`, value: capUsd, hint: 'Nothing for no cap' },
      }}
      verb="Change the cap"
      onChanged={again}
    />
  );
}
