import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { layPlot, type Plot } from './chart-plot.ts';
import { Table } from './table.tsx';
import { Unfolded } from './unfolded.tsx';

export interface ChartColumn {
  /** On the axis, and in the table's first column: `14:00`, `Nov 26`. */
  readonly label: string;
  /** On the axis, in place of the label. */
  readonly axis?: string;
  /** Shown above the chart at the pointer, or after arrow keys. */
  readonly text: ComponentChildren;
  readonly cells: readonly ComponentChildren[];
  readonly href?: string | undefined;
}

interface FrameProps {
  /** Names the figure for readers who do not see it. */
  readonly label: string;
  /** The head of the table's first column: `Hour (UTC)`. */
  readonly head: string;
  readonly heads: readonly ComponentChildren[];
  readonly columns: readonly ChartColumn[];
  readonly greatest: number;
  readonly height: number;
  readonly tick: (value: number) => string;
  /** The readout while no column is chosen. */
  readonly readout?: ComponentChildren;
  /** Points are at the start of their columns, bars in the middle. */
  readonly draw: (plot: Plot, chosen: number | undefined) => ComponentChildren;
}

/** Axes, a readout that follows pointer and arrow keys, and the same figures as a table. */
export function ChartFrame(props: FrameProps) {
  const { label, head, columns, greatest, height, tick, readout, draw } = props;
  const [chosen, choose] = useState<number>();
  const { route } = useLocation();
  const id = useId();
  const last = columns.length - 1;
  const at = columns[chosen ?? -1];
  const plot = layPlot(columns.length, greatest, height);
  const open = () => at?.href !== undefined && route(at.href);
  return (
    <figure>
      <output class="readout" id={id}>
        {at === undefined ? (
          (readout ?? '\u00a0')
        ) : (
          <>
            <b>{at.label}</b> {at.text}
          </>
        )}
      </output>
      <div class="chart">
        <TickTexts plot={plot} tick={tick} />
        <div
          role="slider"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={chosen ?? 0}
          aria-valuetext={at?.label ?? label}
          aria-describedby={id}
          tabIndex={0}
          class={at?.href === undefined ? undefined : 'go'}
          onKeyDown={(event) => {
            if (event.key === 'Enter') open();
            const to = keys[event.key]?.(chosen, last);
            if (to === undefined) return;
            event.preventDefault();
            choose(to);
          }}
          onPointerMove={({ offsetX, currentTarget: { clientWidth } }) =>
            choose(Math.max(0, Math.min(last, Math.floor((offsetX / clientWidth) * (last + 1)))))
          }
          onPointerLeave={() => choose(undefined)}
          onBlur={() => choose(undefined)}
          onClick={open}
        >
          <svg width="100%" height={height} aria-hidden="true">
            {plot.ticks.map((value) => (
              <line
                key={value}
                class={value === 0 ? 'base' : 'tick'}
                x2="100%"
                y1={plot.y(value)}
                y2={plot.y(value)}
              />
            ))}
            {draw(plot, chosen)}
          </svg>
        </div>
        <span class="zone">{head.includes('UTC') && ' UTC '}</span>
        <Labels columns={columns} />
      </div>
      <AsTable {...props} />
    </figure>
  );
}

function TickTexts({ plot, tick }: { readonly plot: Plot; readonly tick: FrameProps['tick'] }) {
  return (
    <svg width="44" height={plot.height} aria-hidden="true">
      {plot.ticks.map((value) => (
        <text key={value} x="44" y={plot.y(value) + 4} text-anchor="end">
          {tick(value)}
        </text>
      ))}
    </svg>
  );
}

/** Fewer long labels, for a phone. */
const labelsMax = ({ label }: ChartColumn) => (label.length > 5 ? 6 : 8);

function Labels({ columns }: { readonly columns: readonly ChartColumn[] }) {
  const every = Math.max(1, Math.ceil(columns.length / Math.min(...columns.map(labelsMax))));
  return (
    <div class="x" aria-hidden="true">
      {columns.map(({ label, axis = label }, at) => (
        <span key={label}>{at % every === 0 && <span>{axis}</span>}</span>
      ))}
    </div>
  );
}

function AsTable({ label, head, heads, columns }: FrameProps) {
  return (
    <Unfolded summary="Show as a table">
      <Table
        caption={label}
        columns={[
          {
            id: 'label',
            head,
            cell: (row: ChartColumn) => (row.href ? <a href={row.href}>{row.label}</a> : row.label),
            narrow: 1 as const,
          },
          ...heads.map((name, at) => ({
            ...{ id: `cell-${at}`, head: name, isNumber: true },
            cell: ({ cells }: ChartColumn) => cells[at],
            ...(at === heads.length - 1 && { narrow: 2 as const }),
          })),
        ]}
        rows={columns}
        keyOf={(row) => row.label}
        empty=""
      />
    </Unfolded>
  );
}

const keys: Readonly<Record<string, (from: number | undefined, last: number) => number>> = {
  ArrowRight: (from, last) => Math.min(last, (from ?? -1) + 1),
  ArrowLeft: (from, last) => Math.max(0, (from ?? last + 1) - 1),
  Home: () => 0,
  End: (_, last) => last,
};
