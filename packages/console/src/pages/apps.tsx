import type { AppChanged, AppsPage, ListedApp } from '@model-gateway/server/operations/documents';
import { useRead } from '../data/read.ts';
import { useMay } from '../data/who.ts';
import { ChangeDialog } from '../parts/change-dialog.tsx';
import { DataTable, type Head } from '../parts/data-table.tsx';
import { Long } from '../parts/long.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Shown } from '../parts/shown.tsx';
import { Usd } from '../parts/values.tsx';
import { BudgetTable } from './budget-table.tsx';

const columns: readonly Head<ListedApp>[] = [
  {
    head: 'App',
    cell: ({ name }) => (
      <Long>
        <a href={`/console/apps/${encodeURIComponent(name)}`}>{name}</a>
      </Long>
    ),
  },
  { head: 'State', cell: ({ enabled }) => (enabled ? 'works' : 'disabled') },
  { head: 'USD a day', isNumber: true, cell: ({ dailyBudgetUsd: of }) => <Usd of={of} /> },
  { head: 'USD a month', isNumber: true, cell: ({ monthlyBudgetUsd: of }) => <Usd of={of} /> },
  { head: 'Each user a day', isNumber: true, cell: ({ perUserDailyUsd: of }) => <Usd of={of} /> },
  { head: 'Models', cell: ({ models }) => (models === null ? 'all' : models.join(', ')) },
  { head: 'Credits a month', isNumber: true, cell: ({ credits }) => credits?.monthlyGrant ?? '–' },
  { head: 'Made by', cell: ({ origin }) => (origin === 'file' ? 'file' : 'command') },
  { head: 'Unlike the file', cell: ({ drift }) => drift.join('; ') || '–' },
];

export function AppsView() {
  const read = useRead<AppsPage>('/apps');
  const mayOperate = useMay('operate');
  return (
    <>
      <PageHead title="Apps" />
      {mayOperate && <MakeApp again={read.again} />}
      <Shown of={read}>
        {({ items }) => (
          <DataTable
            caption="Apps"
            heads={columns}
            rows={items}
            keyOf={({ name }) => name}
            empty="No app. Those of the configuration file are here after a start, and those made here."
          />
        )}
      </Shown>
      <BudgetTable />
    </>
  );
}

function MakeApp({ again }: { readonly again: () => void }) {
  return (
    <ChangeDialog<AppChanged>
      label="Make an app"
      title="Make an app"
      operation="apps create"
      asks={{
        name: { label: 'Name', hint: 'Lower case, digits and hyphens' },
        budget: { label: 'USD a day', hint: 'Nothing for no cap', isOptional: true },
      }}
      verb="Make the app"
      toInput={({ name, budget }) => {
        return { name, ...(budget && { settings: { dailyBudgetUsd: budget } }) };
      }}
      onChanged={again}
    />
  );
}
