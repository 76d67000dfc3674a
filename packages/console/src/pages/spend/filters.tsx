import type { AppsPage, ModelsPage } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { dayOf } from '../../data/days.ts';
import type { Read } from '../../data/read.ts';
import { Picker } from '../../parts/picker.tsx';
import { Segments } from '../../parts/segments.tsx';
import { monthText } from '../../text/days.ts';
import { type SpendQuery, spendOf } from './spend-query.ts';

const ranges = [
  ['day', 'Today'],
  ['week', '7 days'],
  ['month', 'Month'],
  ['days', 'Dates'],
] as const;
const groups = [
  ...([
    ['app', 'App'],
    ['model', 'Model'],
    ['day', 'Day'],
    ['user', 'User'],
    ['project', 'Project'],
    ['tag', 'Tag'],
  ] as const),
] as const;
const moreGroups = [
  { value: 'group', text: 'App group' },
  { value: 'platform', text: 'Platform' },
  { value: 'key', text: 'Key' },
];

interface FiltersProps {
  readonly spendQuery: SpendQuery;
  readonly apps: Read<AppsPage>;
  readonly models: Read<ModelsPage>;
}

export function Filters({ spendQuery, apps, models }: FiltersProps) {
  const { route } = useLocation();
  const change = (next: Readonly<Record<string, string>>) => route(spendOf(spendQuery, next), true);
  const { range, by, app, model } = spendQuery;
  const names = apps.data?.items.map(({ name }) => name) ?? [];
  const ids = new Set(models.data?.items.map(({ id }) => id));
  return (
    <search class="filters" aria-label="Filters">
      <Segments
        label="Range"
        value={range}
        options={ranges}
        set={(next) => change(datesFor(next, spendQuery))}
      />
      <Dates spendQuery={spendQuery} change={change} />
      <Segments label="Group by" value={by} options={groups} set={(next) => change({ by: next })} />
      <Picker
        label="More"
        none="groups"
        options={moreGroups}
        chosen={moreGroups.some(({ value }) => value === by) ? [by] : []}
        set={([next = 'app']) => change({ by: next })}
      />
      <Picker
        label="App"
        options={names.map((value) => ({ value }))}
        chosen={app === '' ? [] : [app]}
        set={([next = '']) => change({ app: next })}
      />
      <Picker
        label="Model"
        options={[...ids].map((value) => ({ value }))}
        chosen={model === '' ? [] : [model]}
        set={([next = '']) => change({ model: next })}
        isOpen
      />
    </search>
  );
}

interface DatesProps {
  readonly spendQuery: SpendQuery;
  readonly change: (next: Readonly<Record<string, string>>) => void;
}

/** The month, or the first and the last day. */
function Dates({ spendQuery, change }: DatesProps) {
  const { range, from, to, today } = spendQuery;
  if (range === 'month') {
    const months = monthsUntil(today);
    const chosen = from.slice(0, 7);
    return (
      <Picker
        label="Month"
        options={months.map((value) => ({ value, text: monthText(`${value}-01`, true) }))}
        chosen={[chosen]}
        set={([next = today.slice(0, 7)]) => change({ month: next })}
      />
    );
  }
  if (range !== 'days') return null;
  return (
    <>
      <DateField label="From" value={from} set={(next) => change({ range, from: next, to })} />
      <DateField label="To" value={to} set={(next) => change({ range, from, to: next })} />
    </>
  );
}

interface DateProps {
  readonly label: string;
  readonly value: string;
  readonly set: (day: string) => void;
}

function DateField({ label, value, set }: DateProps) {
  return (
    <label class="date">
      {label}
      <input
        type="date"
        value={value}
        onChange={({ currentTarget }) => currentTarget.value !== '' && set(currentTarget.value)}
      />
    </label>
  );
}

const monthsMax = 25;

function monthsUntil(today: string): readonly string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: monthsMax }, (_, back) =>
    dayOf(Date.UTC(year, month - 1 - back, 1)).slice(0, 7),
  );
}

function datesFor(range: string, { from, to }: SpendQuery): Record<string, string> {
  const none = { range, month: '', from: '', to: '' };
  return range === 'days' ? { ...none, from, to } : none;
}
