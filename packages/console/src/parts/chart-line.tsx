import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { exactUsd } from '../text/money.ts';
import { CapLine, Mark } from './chart-bars.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { type Plot, usdTick } from './chart-plot.ts';
import { Usd } from './values.tsx';

/** A running total at a position of the axis, in columns from its start. */
export interface Point {
  readonly at: number;
  readonly usd: string;
}

interface LineProps {
  readonly label: string;
  readonly head: string;
  /** The start of each column: `14:00`. */
  readonly labels: readonly string[];
  readonly points: readonly Point[];
  readonly forecast: readonly Point[];
  readonly cap?: { readonly usd: string; readonly text: string } | undefined;
  readonly height?: number;
  readonly readout?: ComponentChildren;
}

/** An area up to now, and a dashed line from now on. */
export function LineChart(props: LineProps) {
  const { label, head, labels, points, forecast, cap, height = 210, readout } = props;
  const allPoints = [...points, ...forecast];
  const columns = labels.map((name, column) => {
    const point = allPoints.findLast(({ at }) => at <= column + 1 && at > column);
    const isForecast = point !== undefined && !points.includes(point);
    const usd = point?.usd;
    const text = usd === undefined ? '–' : `${exactUsd(usd)}${isForecast ? ' (forecast)' : ''}`;
    return { label: name, text, cells: [<Usd of={usd} />, isForecast ? 'Forecast' : 'Spent'] };
  });
  return (
    <ChartFrame
      {...{ label, head, columns, height, readout }}
      heads={['Running total', 'Kind']}
      greatest={Math.max(Number(cap?.usd ?? 0), ...allPoints.map(({ usd }) => Number(usd)))}
      tick={usdTick}
      draw={(plot, chosen) => (
        <>
          <Lines plot={plot} points={points} forecast={forecast} />
          {cap !== undefined && <CapLine plot={plot} {...cap} />}
          {chosen !== undefined && <Mark plot={plot} column={chosen} />}
        </>
      )}
    />
  );
}

interface LinesProps {
  readonly plot: Plot;
  readonly points: readonly Point[];
  readonly forecast: readonly Point[];
}

/** Lines stretch in a separate image; texts and points do not. */
function Lines({ plot, points, forecast }: LinesProps) {
  const fade = useId();
  const { columns, height, step, y } = plot;
  const last = points.at(-1);
  if (last === undefined) return null;
  const pathOf = (line: readonly Point[]) =>
    `M${line.map(({ at, usd }) => `${at} ${y(Number(usd)).toFixed(1)}`).join('L')}`;
  return (
    <>
      <linearGradient id={fade} x1="0" x2="0" y1="0" y2="1">
        <stop offset="0" class="fade-0" />
        <stop offset="1" class="fade-1" />
      </linearGradient>
      <svg
        viewBox={`0 0 ${columns} ${height}`}
        width="100%"
        height={height}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path fill={`url(#${fade})`} d={`${pathOf(points)}L${last.at} ${y(0)}L0 ${y(0)}Z`} />
        <path class="line" d={pathOf(points)} />
        {forecast.length > 0 && <path class="line forecast" d={pathOf([last, ...forecast])} />}
      </svg>
      <circle class="point" cx={`${last.at * step}%`} cy={y(Number(last.usd))} r="4.5" />
    </>
  );
}
