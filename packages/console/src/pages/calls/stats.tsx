import type { CallStats } from '@model-gateway/server/operations/documents';
import type { Read } from '../../data/read.ts';
import { Card } from '../../parts/card.tsx';
import { ChartFrame } from '../../parts/chart-frame.tsx';
import { countTick, type Plot } from '../../parts/chart-plot.ts';
import type { Column } from '../../parts/column.ts';
import { ReadFailure } from '../../parts/shown.tsx';
import { Table } from '../../parts/table.tsx';
import { Unfolded } from '../../parts/unfolded.tsx';
import { Count, Duration, Name, Usd, When } from '../../parts/values.tsx';
import { dayText } from '../../text/days.ts';
import { percentText } from '../../text/percent.ts';
import { addressOf, type Query, timeText } from './filter.ts';

interface StatsProps {
  readonly of: Read<CallStats>;
  readonly query: Query;
}

/** The height does not change when the figures arrive. */
export function CallStatistics({ of, query }: StatsProps) {
  const { data } = of;
  return (
    <div class="figures">
      <Card title={timeText(query) ?? 'Last 24 hours'} aside={<Legend />}>
        <ReadFailure of={of} />
        <CallChart of={data} query={query} />
        <Unfolded summary="By app and by model">
          {data !== undefined && (
            <>
              <GroupTable title="By app" groups={data.byApp} {...{ query }} field="app" />
              <GroupTable title="By model" groups={data.byModel} {...{ query }} field="model" />
            </>
          )}
        </Unfolded>
        {data?.searchedBackTo && (
          <p class="note">
            These figures cover calls since <When at={data.searchedBackTo} />. The search stopped
            after 2 s; choose a shorter time range to cover all calls.
          </p>
        )}
      </Card>
    </div>
  );
}

function Legend() {
  return (
    <ul class="legend">
      <li>
        <span class="swatch s1" />
        OK
      </li>
      <li>
        <span class="swatch fail" />
        Failed
      </li>
    </ul>
  );
}

function Readout({ of }: { readonly of: CallStats | undefined }) {
  if (of === undefined) return <>{'\u00a0'}</>;
  const { calls, errors, costUsd, tookMs, firstMs } = of;
  return (
    <>
      <span>
        <b>
          <Count of={calls} />
        </b>{' '}
        {calls === 1 ? 'call' : 'calls'}
      </span>{' '}
      <b>
        <Usd of={costUsd} />
      </b>{' '}
      <span>
        <b>{percentText(errors, calls)}</b> failed
      </span>{' '}
      <span>
        p50{' '}
        <b>
          <Duration ms={tookMs?.p50} />
        </b>
      </span>{' '}
      <span>
        p95{' '}
        <b>
          <Duration ms={tookMs?.p95} />
        </b>
      </span>{' '}
      <span title="Time to first token">
        TTFT p50{' '}
        <b>
          <Duration ms={firstMs?.p50} />
        </b>
      </span>
    </>
  );
}

const dayMs = 86_400_000;

function CallChart({ of, query }: { readonly of: CallStats | undefined; readonly query: Query }) {
  const slices = of?.slices ?? [];
  const stepMs = of?.sliceMs ?? 0;
  const isOfDays = slices.length * stepMs > dayMs + 2 * stepMs;
  const columns = slices.map(({ at, calls, errors }) => ({
    label: `${isOfDays ? `${dayText(at)} ` : ''}${stepMs < dayMs ? at.slice(11, 16) : ''}`.trim(),
    axis: isOfDays ? dayText(at) : at.slice(11, 16),
    text: (
      <>
        <span>{calls.toLocaleString('en')} calls</span> <span>{errors} failed</span>
      </>
    ),
    cells: [<Count key="calls" of={calls} />, <Count key="errors" of={errors} />],
    href: addressOf(query, { since: at, until: endOf(at, stepMs) }),
  }));
  return (
    <ChartFrame
      label="Calls over time, by result"
      head="Start (UTC)"
      heads={['Calls', 'Failed']}
      columns={columns}
      greatest={Math.max(0, ...slices.map(({ calls }) => calls))}
      height={64}
      tick={countTick}
      readout={<Readout of={of} />}
      draw={(plot, chosen) =>
        slices.map((step, at) => (
          <Bar key={step.at} {...{ plot, at, step }} isChosen={at === chosen} />
        ))
      }
    />
  );
}

function endOf(at: string, stepMs: number): string {
  return new Date(Date.parse(at) + stepMs).toISOString();
}

interface BarProps {
  readonly plot: Plot;
  readonly at: number;
  readonly step: CallStats['slices'][number];
  readonly isChosen: boolean;
}

/** A single failure among many calls stays visible. */
function Bar({ plot, at, step: { calls, errors }, isChosen }: BarProps) {
  const { step, y, height } = plot;
  const across = { x: `${(at + 0.14) * step}%`, width: `${0.72 * step}%` };
  const failed = errors === 0 ? 0 : Math.max(1.5, y(0) - y(errors));
  const whole = Math.max(failed, y(0) - y(calls));
  return (
    <>
      <rect class="s1" {...across} y={y(0) - whole + failed} height={whole - failed} />
      <rect class="fail" {...across} y={y(0) - whole} height={failed} />
      {isChosen && <rect class="chosen" x={`${at * step}%`} width={`${step}%`} height={height} />}
    </>
  );
}

type Group = CallStats['byApp'][number];

interface GroupProps {
  readonly title: string;
  readonly groups: readonly Group[];
  readonly field: 'app' | 'model';
  readonly query: Query;
}

function GroupTable({ title, groups, field, query }: GroupProps) {
  const columns: readonly Column<Group>[] = [
    {
      ...{ id: 'name', head: title, narrow: 1 },
      cell: ({ name }) => (
        <a href={addressOf(query, { [field]: name })}>
          <Name of={name} />
        </a>
      ),
    },
    ...groupColumns,
  ];
  return (
    <Table
      caption={title}
      columns={columns}
      rows={groups}
      keyOf={({ name }) => name}
      empty={<p class="note">No calls</p>}
    />
  );
}

const groupColumns: readonly Column<Group>[] = [
  {
    ...{ id: 'calls', head: 'Calls', isNumber: true, narrow: 2 },
    cell: ({ calls }) => <Count of={calls} />,
  },
  {
    ...{ id: 'failed', head: 'Failed', isNumber: true, narrow: 3 },
    cell: ({ errors, calls }) => (
      <>
        {percentText(errors, calls)}
        <span class="narrow"> failed</span>
      </>
    ),
  },
  { ...{ id: 'cost', head: 'Cost', isNumber: true }, cell: ({ costUsd }) => <Usd of={costUsd} /> },
  {
    ...{ id: 'p50', head: 'p50', isNumber: true },
    cell: ({ tookMs }) => <Duration ms={tookMs.p50} />,
  },
  {
    ...{ id: 'p95', head: 'p95', isNumber: true, narrow: 4 },
    cell: ({ tookMs }) => (
      <>
        <span class="narrow">p95 </span>
        <Duration ms={tookMs.p95} />
      </>
    ),
  },
  {
    ...{ id: 'first', head: 'TTFT p50', isNumber: true },
    cell: ({ firstMs }) => <Duration ms={firstMs?.p50} />,
  },
];
