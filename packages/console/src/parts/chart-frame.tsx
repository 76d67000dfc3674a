import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { height, layPlot, type Plot } from './chart-plot.ts';
import { DataTable } from './data-table.tsx';

export interface Column {
  readonly label: string;
  /** The exact text, shown at the pointer or after arrow keys. */
  readonly text: string;
  readonly cells: readonly string[];
  readonly href?: string | undefined;
}

interface FrameProps {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly heads: readonly string[];
  readonly greatest: number;
  readonly tick: (value: number) => string;
  readonly draw: (plot: Plot, chosen: number | undefined) => ComponentChildren;
}

export function ChartFrame({ caption, columns, heads, greatest, tick, draw }: FrameProps) {
  const [chosen, choose] = useState<number>();
  const { route } = useLocation();
  const id = useId();
  const last = columns.length - 1;
  const at = columns[chosen ?? -1];
  const open = () => at?.href !== undefined && route(at.href);
  const plot = layPlot(columns.length, greatest);
  const middle = (column: number) => `${(column + 0.5) * plot.step}%`;
  return (
    <figure class="chart">
      <figcaption id={id}>{caption}</figcaption>
      <section
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go from column to column.
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key === 'Enter') open();
          const to = keys[event.key]?.(chosen, last);
          if (to === undefined) return;
          event.preventDefault();
          choose(to);
        }}
        onPointerMove={({ offsetX, currentTarget: { clientWidth } }) =>
          choose(Math.min(last, Math.floor((offsetX / clientWidth) * columns.length)))
        }
        onPointerLeave={() => choose(undefined)}
        onBlur={() => choose(undefined)}
        onClick={open}
      >
        <svg width="100%" height={height} role="img" aria-label={caption}>
          {plot.ticks.map((value) => (
            <g key={value} class="chart-tick">
              <line x2="100%" y1={plot.y(value)} y2={plot.y(value)} />
              <text y={plot.y(value) - 3}>{tick(value)}</text>
            </g>
          ))}
          {draw(plot, chosen)}
          {columns.map(({ label }, column) =>
            column % Math.ceil(columns.length / 10) === 0 ? (
              <text key={label} x={middle(column)} y={height - 6} text-anchor="middle">
                {label.slice(-2)}
              </text>
            ) : null,
          )}
        </svg>
      </section>
      <output>{at === undefined ? '\u00a0' : `${at.label} · ${at.text}`}</output>
      <details>
        <summary>As a table</summary>
        <DataTable
          caption={caption}
          heads={[
            { head: 'Day', cell: ({ label, href }) => (href ? <a href={href}>{label}</a> : label) },
            ...heads.map((head, index) => {
              return { head, isNumber: true, cell: ({ cells }: Column) => cells[index] };
            }),
          ]}
          rows={columns}
          keyOf={({ label }) => label}
          empty="No day."
        />
      </details>
    </figure>
  );
}

const keys: Readonly<Record<string, (from: number | undefined, last: number) => number>> = {
  ArrowRight: (from, last) => Math.min(last, (from ?? -1) + 1),
  ArrowLeft: (from, last) => Math.max(0, (from ?? last + 1) - 1),
  Home: () => 0,
  End: (_, last) => last,
};
