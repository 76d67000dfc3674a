import { cutUsd, exactUsd } from '../money.ts';
import { CopyButton } from './copy-button.tsx';

/** An amount, cut to cents; the whole of it where the pointer rests, and on copy. `–` for none. */
export function Usd({ of }: { readonly of: string | null | undefined }) {
  if (of === null || of === undefined) return <>–</>;
  return (
    <span class="money" title={exactUsd(of)} onCopy={(event) => copyWhole(event, exactUsd(of))}>
      {cutUsd(of)}
    </span>
  );
}

/** What is copied of a cut amount alone has all its digits. */
function copyWhole(event: preact.TargetedEvent<HTMLElement, ClipboardEvent>, whole: string): void {
  const { currentTarget, clipboardData } = event;
  const selected = currentTarget.ownerDocument.getSelection()?.toString().trim() ?? '';
  if (selected === '' || !currentTarget.textContent?.includes(selected)) return;
  clipboardData?.setData('text/plain', whole);
  event.preventDefault();
}

/** An amount with all its digits. */
export function ExactUsd({ of }: { readonly of: string | null | undefined }) {
  return of === null || of === undefined ? <>–</> : <span class="money">{exactUsd(of)}</span>;
}

/** How many. */
export function Count({ of }: { readonly of: number }) {
  return <span class="money">{of.toLocaleString('en')}</span>;
}

/** A moment in the time of who looks; UTC where the pointer rests. */
export function When({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <>–</>;
  const utc = `${at.slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time dateTime={at} title={utc}>
      {moments.format(new Date(at))}
    </time>
  );
}

/** An id that is often needed elsewhere. */
export function Id({ of }: { readonly of: string | null | undefined }) {
  if (of === null || of === undefined) return <>–</>;
  return (
    <span class="id">
      <code>{of}</code> <CopyButton text={of} what={of} />
    </span>
  );
}

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
