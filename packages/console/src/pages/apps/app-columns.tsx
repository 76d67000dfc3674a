import { dayOf } from '../../data/days.ts';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { UsedBar } from '../../parts/budget-bar.tsx';
import type { Column } from '../../parts/column.ts';
import { Name, Usd } from '../../parts/values.tsx';
import { picoOf } from '../../text/money.ts';
import { AppMenu } from '../today/app-columns.tsx';
import { appHref } from '../today/attention.ts';
import type { ShownLine } from './lines.ts';

export function settingColumns(
  hasBudget: boolean,
  again: () => void,
): readonly Column<ShownLine>[] {
  return [
    {
      ...{ id: 'app', head: 'App', narrow: 1, value: ({ name }) => name },
      cell: ({ name }) => (
        <a class="go" href={appHref(name)}>
          <Name of={name} />
        </a>
      ),
    },
    ...(hasBudget ? [usedColumn, capColumn] : []),
    {
      ...{ id: 'spent', head: 'Spent', isNumber: true, narrow: 2 },
      value: ({ spentUsd }) => picoOf(spentUsd),
      cell: ({ name, spentUsd, shown }) => (
        <a class="go" href={withQuery('/console/spend', { range: 'day', app: name })}>
          <Usd of={spentUsd} shown={shown.spent} />
        </a>
      ),
    },
    {
      ...{ id: 'held', head: 'Reserved', isNumber: true, value: ({ heldUsd }) => picoOf(heldUsd) },
      cell: ({ heldUsd, shown }) => (
        <span class={heldUsd === '0' ? undefined : 'held'}>
          <Usd of={heldUsd} shown={shown.held} />
        </span>
      ),
    },
    ...(hasBudget ? [remainingColumn] : []),
    {
      ...{ id: 'month', head: 'Monthly budget', isNumber: true, isExtra: true },
      value: ({ settings }) => picoOf(settings.monthlyBudgetUsd ?? '0'),
      cell: ({ settings }) => <Usd of={settings.monthlyBudgetUsd} />,
    },
    {
      ...{ id: 'user', head: 'Daily budget per user', isNumber: true, isExtra: true },
      value: ({ settings }) => picoOf(settings.perUserDailyUsd ?? '0'),
      cell: ({ settings }) => <Usd of={settings.perUserDailyUsd} />,
    },
    {
      ...{ id: 'credits', head: 'Monthly credits per user', isNumber: true, isExtra: true },
      cell: ({ settings }) => settings.credits?.monthlyGrant ?? '–',
    },
    {
      ...{ id: 'models', head: 'Models', isExtra: true },
      value: ({ settings }) => settings.models?.length ?? Number.POSITIVE_INFINITY,
      cell: ({ settings: { models } }) => (
        <span class="cut" title={models?.join(', ')}>
          {models === null ? 'all' : models.join(', ')}
        </span>
      ),
    },
    {
      ...{
        id: 'origin',
        head: 'Created by',
        isExtra: true,
        value: ({ settings }) => settings.origin,
      },
      cell: ({ settings }) => (settings.origin === 'file' ? 'file' : 'command'),
    },
    {
      ...{ id: 'state', head: 'State', narrow: 3 },
      value: ({ settings: { enabled, drift } }) => (enabled ? drift.length : -1),
      cell: State,
    },
    {
      ...{ id: 'actions', head: <span class="hide">Actions</span>, narrow: 6 },
      cell: ({ name }) => <AppMenu app={name} day={dayOf(Date.now())} again={again} />,
    },
  ];
}

const usedColumn: Column<ShownLine> = {
  ...{ id: 'used', head: 'Budget used', narrow: 5 },
  value: ({ capUsd, spentUsd, heldUsd }) =>
    (Number(spentUsd) + Number(heldUsd)) / Math.max(Number(capUsd), Number.MIN_VALUE),
  cell: ({ name, capUsd, spentUsd, heldUsd, isTight }) =>
    capUsd !== null && <UsedBar label={name} {...{ capUsd, spentUsd, heldUsd, isTight }} />,
};

const capColumn: Column<ShownLine> = {
  ...{ id: 'cap', head: 'Daily budget', isNumber: true },
  value: ({ capUsd }) => picoOf(capUsd ?? '0'),
  cell: ({ capUsd }) => <Usd of={capUsd} />,
};

const remainingColumn: Column<ShownLine> = {
  ...{ id: 'left', head: 'Remaining', isNumber: true, narrow: 4 },
  value: ({ leftUsd }) => picoOf(leftUsd ?? '0'),
  cell: ({ leftUsd, shown }) => (
    <>
      <Usd of={leftUsd} shown={shown.left} />
      <span class="narrow"> left</span>
    </>
  ),
};

function State({ settings: { enabled, drift } }: ShownLine) {
  if (!enabled) return <Badge tone="plain">Disabled</Badge>;
  if (drift.length === 0) return <span class="note">Enabled</span>;
  return (
    <Badge tone="warn" title={drift.join('; ')}>
      Differs from file
    </Badge>
  );
}
