import { useId } from 'preact/hooks';
import { picoOf } from '../text/money.ts';

interface BarProps {
  /** Names the budget for readers who do not see the bar. */
  readonly label: string;
  readonly spentUsd: string;
  readonly heldUsd: string;
  readonly capUsd: string;
  /** The forecast reaches the limit before it resets. */
  readonly isTight?: boolean;
  readonly isTall?: boolean;
}

/** Spent is solid, reserved is striped, left is empty. Amber from 90%, red when used up. */
export function BudgetBar({ label, spentUsd, heldUsd, capUsd, isTight, isTall }: BarProps) {
  const stripes = useId();
  const cap = picoOf(capUsd);
  const spent = percentOf(picoOf(spentUsd), cap);
  const held = percentOf(picoOf(heldUsd), cap);
  const used = spent + held;
  const state = used >= 99.95 ? ' bad' : used >= 90 || isTight === true ? ' warn' : '';
  // An existing reservation stays visible.
  const heldWidth = held === 0 ? 0 : Math.max(1.6, Math.min(held, 100));
  const heldAt = Math.min(spent, 100 - heldWidth);
  return (
    <svg
      class={`bar${state}${isTall === true ? ' tall' : ''}`}
      role="img"
      aria-label={`${label}: ${spent.toFixed(1)}% spent, ${held.toFixed(1)}% reserved`}
    >
      <pattern
        id={stripes}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect class="held-mark" width="5" height="5" />
        <path class="stripe" d="M0 0v5" />
      </pattern>
      <rect class="spent" width={`${Math.min(100, spent)}%`} height="100%" />
      {heldWidth > 0 && (
        <rect x={`${heldAt}%`} width={`${heldWidth}%`} height="100%" fill={`url(#${stripes})`} />
      )}
    </svg>
  );
}

/** The bar, and its percent in text. */
export function UsedBar(props: BarProps) {
  const cap = picoOf(props.capUsd);
  const used = percentOf(picoOf(props.spentUsd) + picoOf(props.heldUsd), cap);
  return (
    <span class="used">
      <BudgetBar {...props} />
      <span>{Math.floor(used)}%</span>
    </span>
  );
}

/** Once per page with bars. */
export function BudgetLegend() {
  return (
    <ul class="legend">
      <li>
        <span class="swatch s1" />
        Spent
      </li>
      <li>
        <span class="swatch striped" />
        Reserved for running calls
      </li>
      <li>
        <span class="swatch" />
        Remaining
      </li>
    </ul>
  );
}

/** To two decimals; a budget of 0 counts as used up. */
function percentOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 100 : Number((part * 10_000n) / whole) / 100;
}
