import type { AppsPage, DearestCalls, Spend } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { dayOf } from '../../data/days.ts';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { BarChart } from '../../parts/chart-bars.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ReadFailure, Shown } from '../../parts/shown.tsx';
import { Count, ExactUsd, Usd } from '../../parts/values.tsx';
import { differenceUsd } from '../../text/amounts.ts';
import { Unsearched } from '../unsearched.tsx';
import { type Asked, askedOf, callsOf, isOfCalls, parametersOf, rangeOf } from './asked.ts';
import { SlowUsers } from './slow-users.tsx';
import { SpendTable } from './table.tsx';

const splits = [
  'app',
  'project',
  'group',
  'model',
  'platform',
  'user',
  'key',
  'tag',
  'day',
] as const;
const ranges = [
  ['month', 'A month'],
  ['week', 'The last 7 days'],
  ['day', 'Today'],
  ['days', 'From … to'],
] as const;

export function SpendPage() {
  const { query, route } = useLocation();
  const asked = askedOf(query, Date.now());
  const parameters = parametersOf(asked);
  const isSlow = isOfCalls(asked);
  const spend = useRead<Spend>(
    withQuery('/spend', isSlow ? { ...parameters, by: 'day', top: undefined } : parameters),
  );
  const change = (next: Record<string, string>) =>
    // What was added up was of other filters.
    route(withQuery('/console/spend', { ...query, users: '', ...next }), true);
  return (
    <>
      <PageHead title="Spend" note="Days are UTC" />
      <Filters asked={asked} change={change} />
      <p class="exports">
        <DownloadButton text="Export CSV" path={withQuery('/spend.csv', parameters)} />{' '}
        <DownloadButton
          text="Export FOCUS"
          path={withQuery('/spend.csv', { ...parameters, format: 'focus' })}
        />
      </p>
      <Shown of={spend}>
        {(shown) => (
          <>
            <SpendTotal spend={shown} />
            <DearestCall asked={asked} />
            <SpendChart spend={shown} asked={asked} />
            {isSlow ? <SlowUsers asked={asked} /> : <SpendTable spend={shown} asked={asked} />}
          </>
        )}
      </Shown>
    </>
  );
}

interface FiltersProps {
  readonly asked: Asked;
  readonly change: (next: Record<string, string>) => void;
}

function Filters({ asked, change }: FiltersProps) {
  const apps = useRead<AppsPage>('/apps');
  const names = apps.data?.items.map(({ name }) => [name, name] as const) ?? [];
  const { range, from, to } = asked;
  const set = (name: string) => (value: string) => change({ [name]: value });
  return (
    <search class="filters">
      <ChoiceField
        label="Range"
        value={range}
        options={ranges}
        set={(next) => change(daysFor(next))}
      />
      {range === 'month' && (
        <label>
          Month
          <input
            type="month"
            value={from.slice(0, 7)}
            onChange={({ currentTarget }) => set('month')(currentTarget.value)}
          />
        </label>
      )}
      {range === 'days' && (
        <>
          <TextField label="From" value={from} set={set('from')} />
          <TextField label="To" value={to} set={set('to')} />
        </>
      )}
      <ChoiceField
        label="App"
        value={asked.app}
        options={[['', 'all'], ...names]}
        set={set('app')}
      />
      <ChoiceField
        label="Split by"
        value={asked.by}
        options={splits.map((split) => [split, split] as const)}
        set={set('by')}
      />
      <TextField label="Model" value={asked.model} set={set('model')} />
      <label class="check">
        <input
          type="checkbox"
          checked={asked.compare}
          onChange={({ currentTarget }) => set('compare')(currentTarget.checked ? 'true' : '')}
        />
        Compare with the period before
      </label>
      <ReadFailure of={apps} />
    </search>
  );
}

function daysFor(range: string): Record<string, string> {
  const none = { range, month: '', from: '', to: '' };
  const today = dayOf(Date.now());
  return range === 'days' ? { ...none, from: `${today.slice(0, 7)}-01`, to: today } : none;
}

const others = 'others';

function SpendChart({ spend, asked }: { readonly spend: Spend; readonly asked: Asked }) {
  if (spend.days.length === 0) return null;
  const today = dayOf(Date.now());
  // Of users there are sums of months alone: a day is one amount.
  const isWhole = spend.days.every(({ parts }) => parts.length === 0);
  const days = isWhole
    ? spend.days.map((day) => ({ ...day, parts: [{ name: 'Cost', costUsd: day.costUsd }] }))
    : spend.days;
  const names = new Set(days.flatMap(({ parts }) => parts.map(({ name }) => name)));
  // The rest is last, wherever a day has it.
  const stacked = [...names]
    .filter((name) => name !== null)
    .concat(names.has(null) ? [others] : []);
  const bars = days.map(({ day, costUsd, parts }) => ({
    label: day,
    total: costUsd,
    amounts: Object.fromEntries(parts.map((part) => [part.name ?? others, part.costUsd])),
    isOpen: day === today,
    href: callsOf({ ...asked, from: day, to: day }),
  }));
  return (
    <BarChart
      caption={isWhole ? 'Cost a day, USD' : `Cost a day by ${asked.by}, USD`}
      names={stacked}
      bars={bars}
    />
  );
}

function DearestCall({ asked }: { readonly asked: Asked }) {
  const range = rangeOf(asked);
  const read = useRead<DearestCalls>(withQuery('/dearest-calls', { ...range, limit: '1' }));
  const { data } = read;
  const [call] = data?.items ?? [];
  if (data === undefined || call === undefined) return <ReadFailure of={read} />;
  return (
    <p>
      <a href={`/console/calls/${call.id}`}>
        Dearest call <Usd of={call.costUsd} />
      </a>{' '}
      · {call.app} · {call.model} ·{' '}
      <a href={withQuery('/console/calls', { ...range, order: 'cost' })}>the dearest calls</a>
      <Unsearched of={data.unsearched} />
    </p>
  );
}

function SpendTotal({ spend }: { readonly spend: Spend }) {
  const { total, before, forecast } = spend;
  return (
    <section class="totals" aria-label="Total">
      <p>
        <strong>
          Total <ExactUsd of={total.costUsd} />
        </strong>{' '}
        · <Count of={total.calls} /> calls · of which estimated <Usd of={total.estimatedUsd} />
      </p>
      {before !== undefined && (
        <p>
          {before.from} to {before.to}: <Usd of={before.total.costUsd} /> · difference{' '}
          <Usd of={differenceUsd(total.costUsd, before.total.costUsd)} />
        </p>
      )}
      {forecast !== undefined && (
        <details>
          <summary>
            Forecast for the range <Usd of={forecast.usd} />
          </summary>
          {forecast.basis}
        </details>
      )}
    </section>
  );
}
