import type { AppPage } from '@model-gateway/server/operations/documents';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Usd, When } from '../../parts/values.tsx';

type Scope = NonNullable<AppPage['usage']['scopes']>[number];

const columns: readonly Head<Scope>[] = [
  { head: 'Budget', cell: ({ scope }) => scope },
  { head: 'Acts', cell: ({ mode }) => (mode === 'shadow' ? 'only counts' : 'refuses') },
  { head: 'Cap', isNumber: true, cell: ({ capUsd }) => <Usd of={capUsd ?? null} /> },
  { head: 'Spent', isNumber: true, cell: ({ spentUsd }) => <Usd of={spentUsd ?? null} /> },
  { head: 'Held', isNumber: true, cell: ({ heldUsd }) => <Usd of={heldUsd ?? null} /> },
  { head: 'Left', isNumber: true, cell: ({ remainingUsd }) => <Usd of={remainingUsd ?? null} /> },
  { head: 'Resets', cell: ({ resetsAt }) => <When at={resetsAt} /> },
];

export function AppBudget({ page }: { readonly page: AppPage }) {
  const { usage, heldUsd, atThisPace } = page;
  const { budget, scopes = [] } = usage;
  const day = {
    scope: `${usage.app}, this day`,
    ...{
      mode: 'enforce' as const,
      capUsd: budget?.capUsd,
      spentUsd: usage.totals.costUsd,
      heldUsd,
    },
    ...{ remainingUsd: budget?.remainingUsd, resetsAt: budget?.resetsAt ?? '' },
  };
  const rows: readonly Scope[] = [...(budget === null ? [] : [{ ...day, ...budget }]), ...scopes];
  return (
    <section>
      <h2>Budget</h2>
      <DataTable
        caption="Budgets"
        heads={columns}
        rows={rows}
        keyOf={({ scope }) => scope}
        empty="No budget: its calls are counted and never refused for money. Change budget… gives it one."
      />
      <p>
        Spent today <Usd of={usage.totals.costUsd} /> · held <Usd of={heldUsd} /> ·{' '}
        {paceText(atThisPace)}
      </p>
      <details>
        <summary>What this is made of</summary>
        {atThisPace.basis}
      </details>
    </section>
  );
}

function paceText({ usedUpAt, byMidnightUsd }: AppPage['atThisPace']) {
  if (usedUpAt !== null) {
    return (
      <>
        at this pace used up at <When at={usedUpAt} />
      </>
    );
  }
  if (byMidnightUsd === null) return 'no forecast yet';
  return (
    <>
      at this pace <Usd of={byMidnightUsd} /> by midnight UTC
    </>
  );
}
