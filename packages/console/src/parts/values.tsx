import { cutUsd, exactUsd } from '../text/money.ts';
import { CopyButton } from './copy-button.tsx';

/** Cut to cents; the full amount on hover and copy. `–` for none. */
export function Usd({ of }: { readonly of: string | null | undefined }) {
  if (of === null || of === undefined) return <>–</>;
  return (
    <span class="money" title={exactUsd(of)} onCopy={(event) => copyWhole(event, exactUsd(of))}>
      {cutUsd(of)}
    </span>
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
  return of === null || of === undefined ? <>–</> : <span class="money">{exactUsd(of)}</span>;
}

export function Count({ of }: { readonly of: number }) {
  return <span class="money">{of.toLocaleString('en')}</span>;
}

/** In local time; UTC on hover. */
export function When({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <>–</>;
  const utc = `${at.slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time dateTime={at} title={utc}>
      {moments.format(new Date(at))}
    </time>
  );
}

export function Id({ of }: { readonly of: string | null | undefined }) {
  if (of === null || of === undefined) return <>–</>;
  return (
    <span class="id">
      <code>{of}</code> <CopyButton text={of} what={of} />
    </span>
  );
}

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
