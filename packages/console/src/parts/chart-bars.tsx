import type { ComponentChildren } from 'preact';
import { exactUsd, shortUsd } from '../text/money.ts';
import { ChartFrame } from './chart-frame.tsx';
import { type Plot, usdTick } from './chart-plot.ts';
import { colorsOf } from './series.ts';
import { Name, Usd } from './values.tsx';

/** Amounts are exact decimal texts; a missing name is 0. */
export interface Bar {
  readonly label: string;
  readonly amounts: Readonly<Record<string, string>>;
  readonly total: string;
  /** Its period has not ended. */
  readonly isOpen?: boolean;
  readonly href?: string | undefined;
}

interface BarsProps {
  readonly label: string;
  /** The head of the table's first column: `Day (UTC)`. */
  readonly head: string;
  /** From the bottom up; one name for bars that are not stacked. */
  readonly names: readonly string[];
  readonly bars: readonly Bar[];
  readonly cap?: string | undefined;
  readonly capText?: string;
  readonly height?: number;
  readonly readout?: ComponentChildren;
}

export function BarChart(props: BarsProps) {
  const { label, head, names, bars, cap, capText = 'Budget', height = 210, readout } = props;
  const split = names.length > 1 ? names : [];
  const colors = colorsOf(names);
  const columns = bars.map((bar) => ({
    ...{ label: bar.label, href: bar.href },
    text: <BarText bar={bar} names={split} />,
    cells: [...split, undefined].map((name) => (
      <Usd of={name === undefined ? bar.total : (bar.amounts[name] ?? '0')} />
    )),
  }));
  // Leaves space above it for its label.
  const capped = cap === undefined ? 0 : Number(cap) * 1.1;
  return (
    <ChartFrame
      {...{ label, head, columns, height, readout }}
      heads={[...split.map((name) => <Name key={name} of={name} />), 'Total']}
      greatest={Math.max(capped, ...bars.map(({ total }) => Number(total)))}
      tick={usdTick}
      draw={(plot, chosen) => (
        <>
          {bars.map((bar, column) => (
            <g key={bar.label} class={bar.isOpen === true ? 'open' : undefined}>
              {stackOf(bar, names, { plot, column }).map((box, at) => (
                <rect key={names[at]} class={colors.get(names[at] ?? '')} rx="2" {...box} />
              ))}
              {chosen === column && <Mark plot={plot} column={column} />}
            </g>
          ))}
          {cap !== undefined && <CapLine plot={plot} usd={cap} text={capText} />}
        </>
      )}
    />
  );
}

function BarText({ bar, names }: { readonly bar: Bar; readonly names: readonly string[] }) {
  return (
    <>
      <span>{exactUsd(bar.total)}</span>
      {names.map((name) => {
        const usd = bar.amounts[name];
        return usd === undefined || usd === '0' ? null : (
          <span key={name}>
            {name} {exactUsd(usd)}
          </span>
        );
      })}
    </>
  );
}

/** The chosen column. */
export function Mark({ plot: { step, height }, column }: BarPosition) {
  return <rect class="chosen" x={`${column * step}%`} width={`${step}%`} height={height} />;
}

interface CapProps {
  readonly plot: Plot;
  readonly usd: string;
  readonly text: string;
}

export function CapLine({ plot, usd, text }: CapProps) {
  const y = plot.y(Number(usd));
  return (
    <>
      <line class="cap" x2="100%" y1={y} y2={y} />
      <text class="cap-label" x="0" y={y < 16 ? y + 14 : y - 6}>
        {text} {shortUsd(usd)}
      </text>
    </>
  );
}

interface BarPosition {
  readonly plot: Plot;
  readonly column: number;
}

/** Only positions are rounded; texts stay exact. */
function stackOf({ amounts }: Bar, names: readonly string[], { plot, column }: BarPosition) {
  let sum = 0;
  const across = { x: `${(column + 0.14) * plot.step}%`, width: `${0.72 * plot.step}%` };
  return names.map((name) => {
    const from = sum;
    sum += Number(amounts[name] ?? 0);
    return { ...across, y: plot.y(sum), height: Math.max(0, plot.y(from) - plot.y(sum)) };
  });
}
