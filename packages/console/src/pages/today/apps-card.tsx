import { BudgetLegend } from '../../parts/budget-bar.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { sorted, useSort } from '../../parts/use-sort.ts';
import { appColumns } from './app-columns.tsx';
import type { AppGroup, AppGroups } from './app-groups.ts';

interface AppsProps {
  readonly groups: AppGroups;
  readonly day: string;
  readonly again: () => void;
}

/** Each app's spent, reserved and remaining amount. */
export function AppsCard({ groups: { budgeted, without }, day, again }: AppsProps) {
  const count = budgeted.count + without.count;
  return (
    <Card
      id="apps"
      title="Apps"
      isFlush
      aside={budgeted.count > 0 && <BudgetLegend />}
      footer={
        count === 0 ? undefined : (
          <a href="/console/apps">Show all {count.toLocaleString('en')} on the Apps page</a>
        )
      }
    >
      {count === 0 && (
        <Empty icon="apps" title="No apps yet">
          <p>Add one to the configuration file, or create one on the Apps page.</p>
          <a class="button" href="/console/apps">
            Go to Apps
          </a>
        </Empty>
      )}
      {budgeted.count > 0 && (
        <GroupTable
          {...{ group: budgeted, day, again }}
          caption="Apps today"
          total={without.count === 0 ? 'All apps' : 'With a budget'}
        />
      )}
      {without.count > 0 && (
        <GroupTable
          {...{ group: without, day, again }}
          caption="Apps without a daily budget today"
          total={budgeted.count === 0 ? 'All apps' : 'Without a budget'}
        />
      )}
    </Card>
  );
}

interface GroupProps {
  readonly group: AppGroup;
  readonly caption: string;
  readonly total: string;
  readonly day: string;
  readonly again: () => void;
}

function GroupTable({ group, caption, total, day, again }: GroupProps) {
  const sort = useSort('-spent');
  const columns = appColumns({ group, day, again });
  const rows = [...sorted(group.rows, columns, sort), ...(group.rest ? [group.rest] : [])];
  return (
    <Table
      {...{ caption, columns, rows, sort }}
      totalLabel={total}
      keyOf={({ name }) => name}
      empty=""
    />
  );
}
