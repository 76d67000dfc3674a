import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface StatProps {
  readonly label: string;
  readonly figure: ComponentChildren;
  readonly note?: ComponentChildren;
  /** The whole card links to the items that its figure sums up. */
  readonly href?: string | undefined;
  /** A sparkline or a bar. */
  readonly children?: ComponentChildren;
}

export function Stat({ label, figure, note, href, children }: StatProps) {
  const inside = (
    <>
      <span class="label">{label}</span>
      <span class="figure">{figure}</span>
      <span class="note">{note || '\u00a0'}</span>
      {children}
    </>
  );
  if (href === undefined) return <div class="card stat">{inside}</div>;
  return (
    <a class="card stat" href={href}>
      {inside}
    </a>
  );
}

export function Stats({ children }: { readonly children: ComponentChildren }) {
  return (
    <section class="stats" aria-label="Key figures">
      {children}
    </section>
  );
}

interface SparkProps {
  /** Its content for readers who do not see it. */
  readonly label: string;
  readonly values: readonly number[];
}

/** An amount over time: an area without an axis. */
export function AreaSpark({ label, values }: SparkProps) {
  const most = Math.max(...values, Number.MIN_VALUE);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map(
    (value, at) => `${round(at * step)} ${round(34 - (value / most) * 30)}`,
  );
  const line = `M${points.join('L')}`;
  return (
    <svg
      class="spark"
      viewBox="0 0 100 36"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.length > 1 && <path class="area" d={`${line}L100 36L0 36Z`} />}
      {values.length > 1 && <path class="line" d={line} />}
    </svg>
  );
}

/** Events over time: a bar for each hour. */
export function BarSpark({ label, values }: SparkProps) {
  const most = Math.max(...values, 1);
  const step = 100 / Math.max(1, values.length);
  return (
    <svg class="spark bad-marks" role="img" aria-label={label} width="100%" height="36">
      {values.map((value, at) => {
        const height = Math.max(1.5, (value / most) * 34);
        const position = { x: `${round(at * step)}%`, y: 36 - height };
        return (
          <rect key={at} {...position} width={`${round(step * 0.7)}%`} height={height} rx="1" />
        );
      })}
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

interface DeltaProps {
  readonly now: bigint;
  readonly before: bigint;
  /** After the change: `vs. yesterday`. */
  readonly text: string;
}

/** A change in percent; empty where there was nothing before. */
export function Delta({ now, before, text }: DeltaProps) {
  if (before === 0n) return <>{text}</>;
  const permille = Number(((now - before) * 1_000n) / before);
  const size = Math.abs(permille);
  return (
    <>
      <span class="delta">
        <Icon of={permille < 0 ? 'arrowDown' : 'rising'} />
        <span class="hide">{permille < 0 ? 'down ' : 'up '}</span>
        {size < 1_000 ? `${Math.floor(size / 10)}.${size % 10}` : Math.floor(size / 10)}%
      </span>{' '}
      {text}
    </>
  );
}
