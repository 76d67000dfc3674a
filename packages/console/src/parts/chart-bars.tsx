import { useId } from 'preact/hooks';
import { ChartFrame } from './chart-frame.tsx';
import type { Plot } from './chart-plot.ts';

/** Amounts are exact decimal texts; a missing name is 0. */
export interface Bar {
  readonly label: string;
  readonly amounts: Readonly<Record<string, string>>;
  readonly total: string;
  readonly isOpen?: boolean;
  readonly href?: string | undefined;
}

interface BarsProps {
  readonly caption: string;
  readonly names: readonly string[];
  readonly bars: readonly Bar[];
  readonly cap?: string | undefined;
}

export function BarChart({ caption, names, bars, cap }: BarsProps) {
  const hatch = useId();
  const split = names.length > 1 ? names : [];
  const columns = bars.map(({ label, amounts, total, href }) => {
    const parts = split.flatMap((name) => (amounts[name] ? `${name} $${amounts[name]}` : []));
    const cells = [...split.map((name) => `$${amounts[name] ?? '0'}`), `$${total}`];
    return { label, text: [`$${total}`, ...parts].join(' · '), cells, href };
  });
  return (
    <>
      <ChartFrame
        caption={caption}
        columns={columns}
        heads={[...split, 'Total']}
        greatest={Math.max(Number(cap ?? 0), ...bars.map(({ total }) => Number(total)))}
        tick={(value) => `$${value.toLocaleString('en', { maximumFractionDigits: 6 })}`}
        draw={(plot, chosen) => (
          <>
            <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse">
              <path class="chart-hatch" d="M0 6 6 0" />
            </pattern>
            {bars.map((bar, column) => (
              <g key={bar.label} class={column === chosen ? 'chart-chosen' : undefined}>
                {stackOf(bar, names, { plot, column }).map((box, index) => (
                  <rect key={names[index]} class={`chart-part-${index % 9}`} {...box} />
                ))}
                {bar.isOpen && (
                  <rect
                    fill={`url(#${hatch})`}
                    {...boxOf({ plot, column }, 0, Number(bar.total))}
                  />
                )}
              </g>
            ))}
            {cap !== undefined && (
              <g class="chart-cap">
                <line x2="100%" y1={plot.y(Number(cap))} y2={plot.y(Number(cap))} />
                <text x="100%" y={plot.y(Number(cap)) - 3} text-anchor="end">
                  cap ${cap}
                </text>
              </g>
            )}
          </>
        )}
      />
      <ul class="chart-legend">
        {split.map((name, index) => (
          <li key={name} class={`chart-part-${index % 9}`}>
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}

interface Place {
  readonly plot: Plot;
  readonly column: number;
}

/** Only positions are rounded; texts stay exact. */
function stackOf({ amounts }: Bar, names: readonly string[], place: Place) {
  let sum = 0;
  return names.map((name) => {
    const from = sum;
    sum += Number(amounts[name] ?? 0);
    return boxOf(place, from, sum);
  });
}

function boxOf({ plot: { step, y }, column }: Place, from: number, to: number) {
  const across = { x: `${(column + 0.12) * step}%`, width: `${0.76 * step}%` };
  return { ...across, y: y(to), height: y(from) - y(to) };
}
