import { ChartFrame, type Column } from './chart-frame.tsx';
import { bottom, height } from './chart-plot.ts';

interface LineProps {
  readonly caption: string;
  /** Also the head of the table's column. */
  readonly name: string;
  readonly points: readonly (Pick<Column, 'label' | 'href'> & { readonly value: number })[];
}

export function LineChart({ caption, name, points }: LineProps) {
  const columns = points.map(({ label, value, href }) => {
    const text = value.toLocaleString('en');
    return { label, text, cells: [text], href };
  });
  return (
    <ChartFrame
      caption={caption}
      columns={columns}
      heads={[name]}
      greatest={Math.max(0, ...points.map(({ value }) => value))}
      tick={(value) => value.toLocaleString('en', { notation: 'compact' })}
      draw={({ y, step }, chosen) => {
        if (points.length === 0) return null;
        const line = points.map(({ value }, column) => `${column + 0.5} ${y(value)}`).join('L');
        const at = points[chosen ?? -1];
        const x = `${((chosen ?? 0) + 0.5) * step}%`;
        return (
          <g class="chart-line">
            <svg
              viewBox={`0 0 ${points.length} ${height}`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <path class="chart-area" d={`M0.5 ${bottom}L${line}V${bottom}Z`} />
              <path d={`M${line}`} />
            </svg>
            {at !== undefined && <circle cx={x} cy={y(at.value)} r="3" />}
          </g>
        );
      }}
    />
  );
}
