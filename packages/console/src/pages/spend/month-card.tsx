import { Badge } from '../../parts/badge.tsx';
import { UsedBar } from '../../parts/budget-bar.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Table } from '../../parts/table.tsx';
import { Name, Usd } from '../../parts/values.tsx';
import { dayText, monthText } from '../../text/days.ts';
import { type MonthBudget, verdictOf } from './month.ts';
import type { SpendQuery } from './spend-query.ts';

const shownMax = 5;

const columns: readonly Column<MonthBudget>[] = [
  { id: 'budget', head: 'Budget', cell: ({ budget }) => <Scope of={budget.name} />, narrow: 1 },
  { id: 'used', head: 'Used', cell: usedOf, narrow: 5 },
  {
    ...{ id: 'spent', head: 'Spent', isNumber: true },
    cell: ({ budget }) => <Usd of={budget.spentUsd} />,
  },
  {
    ...{ id: 'forecast', head: 'Forecast', isNumber: true, narrow: 2 },
    cell: ({ forecastUsd }) => <Usd of={forecastUsd} />,
  },
  {
    ...{ id: 'limit', head: 'Limit', isNumber: true, narrow: 4 },
    cell: ({ budget }) => (
      <>
        <span class="narrow">of </span>
        <Usd of={budget.capUsd} />
      </>
    ),
  },
  { id: 'verdict', head: 'Outlook', cell: verdictBadge, narrow: 3 },
];

interface MonthProps {
  readonly budgets: readonly MonthBudget[];
  readonly spendQuery: SpendQuery;
  readonly basis: string | undefined;
}

/** Answers: will the month's budget last? */
export function MonthCard({ budgets, spendQuery, basis }: MonthProps) {
  if (budgets.length === 0) return null;
  const rest = budgets.length - shownMax;
  return (
    <Card
      title={`Monthly budgets, ${monthText(spendQuery.from)}`}
      aside={<span class="note">{verdictOf(budgets)}</span>}
      id="month"
      isFlush
      footer={
        <>
          <span>
            Forecast: linear extrapolation of the month so far.
            {basis !== undefined && ` All apps: ${basis}.`}
          </span>
          <a href="/console/budgets">
            {rest > 0 ? `Show ${rest} more budgets` : 'Show all budgets'}
          </a>
        </>
      }
    >
      <Table
        caption="Monthly budgets"
        columns={columns}
        rows={budgets.slice(0, shownMax)}
        keyOf={({ budget }) => budget.name}
        empty=""
      />
    </Card>
  );
}

function usedOf({ budget, state }: MonthBudget) {
  const { name, spentUsd, heldUsd, capUsd } = budget;
  return <UsedBar label={name} {...{ spentUsd, heldUsd, capUsd }} isTight={state === 'tight'} />;
}

function verdictBadge({ budget, state, reachedOn, forecastUsd }: MonthBudget) {
  const counts = budget.mode === 'shadow' ? ', shadow' : '';
  if (state === 'used') return <Badge tone="bad">{`Used up${counts}`}</Badge>;
  if (reachedOn !== null) {
    return <Badge tone="warn">{`Runs out about ${dayText(reachedOn)}${counts}`}</Badge>;
  }
  return forecastUsd === null ? (
    <Badge tone="plain">No full day yet</Badge>
  ) : (
    <Badge tone="good">Within budget</Badge>
  );
}

function Scope({ of }: { readonly of: string }) {
  const app = of.startsWith('app:') ? of.slice(4) : undefined;
  if (app === undefined) return <Name of={of} />;
  return (
    <a class="go" href={`/console/apps/${encodeURIComponent(app)}`}>
      <Name of={app} />
    </a>
  );
}
