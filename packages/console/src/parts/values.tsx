import { en } from '../text/en.ts';
import { exactUsd, shortUsd } from '../text/money.ts';
import { once } from '../text/once.ts';
import { CopyButton } from './copy-button.tsx';

interface UsdProps {
  readonly of: string | null | undefined;
  /** Replaces the amount's own text, to make a column add up. */
  readonly shown?: string | undefined;
}

/**
 * Cents from $1, four significant digits below; all digits on hover and copy. `–` for no amount.
 */
export function Usd({ of, shown }: UsdProps) {
  if (of === null || of === undefined) return <>–</>;
  const exact = exactUsd(of);
  const [, zeros = '', digits = ''] =
    /^(-?\$0\.0+(?=[1-9]))?(.*)$/.exec(shown ?? shortUsd(of)) ?? [];
  return (
    <data class="usd" value={of} title={exact} onCopy={(event) => copyWhole(event, exact)}>
      {zeros !== '' && <span class="z">{zeros}</span>}
      {digits}
    </data>
  );
}

/** A copy of only this amount gets all its digits. */
function copyWhole(event: preact.TargetedEvent<HTMLElement, ClipboardEvent>, whole: string): void {
  const { currentTarget, clipboardData } = event;
  const selected = currentTarget.ownerDocument.getSelection()?.toString().trim() ?? '';
  if (selected === '' || !currentTarget.textContent?.includes(selected)) return;
  clipboardData?.setData('text/plain', whole);
  event.preventDefault();
}

export function ExactUsd({ of }: { readonly of: string | null | undefined }) {
  return of === null || of === undefined ? <>–</> : <Usd of={of} shown={exactUsd(of)} />;
}

export function Count({ of }: { readonly of: number | null | undefined }) {
  if (of === null || of === undefined) return <>–</>;
  return <data value={of}>{of.toLocaleString('en')}</data>;
}

/** `9.92 B`, `684.4 M`, `12,345`; the whole count on hover. */
export function ShortCount({ of }: { readonly of: number }) {
  const short = of < 100_000 ? of.toLocaleString('en') : counts().format(of);
  return (
    <data value={of} title={of.toLocaleString('en')}>
      {short}
    </data>
  );
}

const counts = once(
  () => new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 }),
);

/** `812 ms`, `4.20 s`, `2 min 5 s`. */
export function Duration({ ms }: { readonly ms: number | null | undefined }) {
  return <>{ms === null || ms === undefined ? '–' : durationText(ms)}</>;
}

export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

interface WhenProps {
  readonly at: string | null | undefined;
  /** Only the time of day; the page has the day and UTC. */
  readonly isTime?: boolean;
  /** The column's head has UTC. */
  readonly isBare?: boolean;
}

/** In UTC, with its mark; the local time on hover. */
export function When({ at, isTime, isBare }: WhenProps) {
  if (at === null || at === undefined) return <>–</>;
  const time = new Date(at);
  const text = isTime === true ? at.slice(11, 19) : utc().format(time);
  return (
    <time dateTime={at} title={`${local().format(time)}, ${en.localTime}`}>
      {text}
      {isBare !== true && ' UTC'}
    </time>
  );
}

/** A UTC day such as `2026-11-26` becomes `Nov 26, 2026`. */
export function Day({ of }: { readonly of: string }) {
  return <time dateTime={of}>{days().format(new Date(of))}</time>;
}

export function Id({ of }: { readonly of: string | null | undefined }) {
  if (of === null || of === undefined) return <>–</>;
  return (
    <span class="id">
      <code>
        <Name of={of} />
      </code>{' '}
      <CopyButton text={of} what={of} />
    </span>
  );
}

const nameMax = 23;
const tailLength = 11;

/** A long name loses its middle: its ends distinguish names. */
export function Name({ of }: { readonly of: string }) {
  const characters = [...of];
  if (characters.length <= nameMax) return <span class="name">{of}</span>;
  const start = characters.slice(0, nameMax - tailLength - 1).join('');
  const end = characters.slice(-tailLength).join('');
  return (
    <span class="name" title={of}>
      <span aria-hidden="true">
        {start}…{end}
      </span>
      <span class="hide">{of}</span>
    </span>
  );
}

const utc = once(
  () =>
    new Intl.DateTimeFormat('en', {
      ...({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
      ...({ second: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const),
    }),
);
const local = once(
  () =>
    new Intl.DateTimeFormat('en', {
      ...({ dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as const),
    }),
);
const days = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }));
