import { useMay } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { UsedBar } from '../../parts/budget-bar.tsx';
import type { Column } from '../../parts/column.ts';
import { type Action, Menu } from '../../parts/menu.tsx';
import { Count, Name, Usd } from '../../parts/values.tsx';
import { exactUsd, picoOf, shortUsd } from '../../text/money.ts';
import { percentText } from '../../text/percent.ts';
import { OpenedBudget } from '../budget-dialog.tsx';
import type { AppGroup, AppRow, AppSums } from './app-groups.ts';
import { appHref, isUsedUp } from './attention.ts';
import { callsToday } from './links.ts';

interface ColumnsFor {
  readonly group: AppGroup;
  readonly day: string;
  readonly again: () => void;
}

/** For a group of apps, with its sums. Without budgets there is nothing left or used. */
export function appColumns({ group, day, again }: ColumnsFor): readonly Column<AppRow>[] {
  const { total } = group;
  const hasBudget = total.capUsd !== null;
  return [
    { id: 'app', head: 'App', narrow: 1, value: ({ name }) => name, cell: NameCell },
    ...(hasBudget ? [usedColumn(total)] : []),
    {
      ...{ id: 'spent', head: 'Spent', isNumber: true, narrow: 2 },
      value: ({ spentUsd }) => picoOf(spentUsd),
      cell: (row) => <Spent of={row} />,
      total: <Usd of={total.spentUsd} shown={total.shown.spent} />,
    },
    {
      ...{ id: 'held', head: 'Reserved', isNumber: true },
      value: ({ heldUsd }) => picoOf(heldUsd),
      cell: ({ heldUsd, shown }) => (
        <span class={heldUsd === '0' ? undefined : 'held'}>
          <Usd of={heldUsd} shown={shown.held} />
        </span>
      ),
      total: <Usd of={total.heldUsd} shown={total.shown.held} />,
    },
    ...(hasBudget ? [remainingColumn(total)] : []),
    {
      ...{ id: 'calls', head: 'Calls', isNumber: true, value: ({ calls }) => calls },
      cell: ({ app, calls }) =>
        app === undefined ? (
          <Count of={calls} />
        ) : (
          <a class="go" href={callsToday(day, { app: app.app })}>
            <Count of={calls} />
          </a>
        ),
      total: <Count of={total.calls} />,
    },
    {
      ...{ id: 'failed', head: 'Failed', isNumber: true },
      value: ({ errors, calls }) => (calls === 0 ? 0 : errors / calls),
      cell: ({ errors, calls }) => percentText(errors, calls),
      total: percentText(total.errors, total.calls),
    },
    {
      ...{ id: 'pace', head: 'Forecast (UTC)', narrow: 3, value: forecastOrder },
      cell: (row) => <ForecastCell of={row} />,
      total: <ByMidnight of={total} />,
    },
    {
      ...{ id: 'actions', head: <span class="hide">Actions</span>, narrow: 6 },
      cell: ({ app }) => app !== undefined && <AppMenu app={app.app} day={day} again={again} />,
    },
  ];
}

function NameCell({ app, name }: AppRow) {
  if (app === undefined) return <a href="/console/apps">{name}</a>;
  return (
    <a class="go" href={appHref(app.app)}>
      <Name of={app.app} />
    </a>
  );
}

function usedColumn(total: AppSums): Column<AppRow> {
  return {
    ...{ id: 'used', head: 'Budget used', narrow: 5, value: usedShare },
    cell: (row) => <Used of={row} isTight={isTight(row)} />,
    total: <Used of={total} isTight={false} />,
  };
}

function Used({ of, isTight }: { readonly of: AppSums; readonly isTight: boolean }) {
  const { name, capUsd, spentUsd, heldUsd } = of;
  return capUsd === null ? null : (
    <UsedBar label={name} {...{ capUsd, spentUsd, heldUsd, isTight }} />
  );
}

function usedShare({ capUsd, spentUsd, heldUsd }: AppRow): number {
  const cap = Number(capUsd);
  return cap === 0 ? 1 : (Number(spentUsd) + Number(heldUsd)) / cap;
}

function isTight({ app }: AppRow): boolean {
  return app !== undefined && app.forecast.exhaustedAt !== null;
}

function Spent({ of: { app, spentUsd, shown } }: { readonly of: AppRow }) {
  const amount = <Usd of={spentUsd} shown={shown.spent} />;
  if (app === undefined) return amount;
  return (
    <a class="go" href={withQuery('/console/spend', { range: 'day', app: app.app })}>
      {amount}
    </a>
  );
}

function remainingColumn(total: AppSums & Pick<AppRow, 'shown'>): Column<AppRow> {
  const cell = ({ leftUsd, shown }: Pick<AppRow, 'leftUsd' | 'shown'>) => (
    <>
      <Usd of={leftUsd} shown={shown.left} />
      <span class="narrow"> left</span>
    </>
  );
  return {
    ...{ id: 'left', head: 'Remaining', isNumber: true, narrow: 4, cell, total: cell(total) },
    value: ({ leftUsd }) => picoOf(leftUsd ?? '0'),
  };
}

/** The earliest exhaustion first. */
function forecastOrder({ app }: AppRow): string {
  return app?.usedUpSince ?? app?.forecast.exhaustedAt ?? '9';
}

function ForecastCell({ of: row }: { readonly of: AppRow }) {
  const { app } = row;
  if (app === undefined) return <ByMidnight of={row} />;
  const { usedUpSince, capUsd, forecast } = app;
  if (capUsd !== null && isUsedUp(app)) {
    const since = usedUpSince === null ? '' : ` since ${usedUpSince.slice(11, 16)}`;
    return <Badge tone="bad">Used up{since}</Badge>;
  }
  if (forecast.exhaustedAt !== null) {
    return (
      <Badge tone="warn" title={forecast.basis}>
        Runs out at about {forecast.exhaustedAt.slice(11, 16)}
      </Badge>
    );
  }
  if (!app.enabled) return <span class="note">Disabled</span>;
  if (capUsd === null) return <ByMidnight of={row} />;
  return (
    <span class="note" title={forecast.basis}>
      Within budget
    </span>
  );
}

function ByMidnight({ of: { endOfDayUsd } }: { readonly of: AppSums }) {
  return (
    <span class="note" title={`${exactUsd(endOfDayUsd)} by midnight UTC`}>
      {shortUsd(endOfDayUsd)} by midnight
    </span>
  );
}

interface MenuProps {
  readonly app: string;
  readonly day: string;
  readonly again: () => void;
}

export function AppMenu({ app, day, again }: MenuProps) {
  const mayOperate = useMay('operate');
  const budget: Action = {
    ...{ icon: 'pie', text: 'Change budget…' },
    dialog: (close) => <OpenedBudget app={app} close={close} onChanged={again} />,
  };
  return (
    <Menu
      label={`Actions for ${app}`}
      actions={[
        ...(mayOperate ? [budget] : []),
        { icon: 'calls', text: 'Show calls', href: callsToday(day, { app }) },
        {
          ...{ icon: 'bars', text: 'Show spend' },
          href: withQuery('/console/spend', { range: 'day', app }),
        },
        { icon: 'key', text: 'Show keys', href: withQuery('/console/keys', { app }) },
      ]}
    />
  );
}
