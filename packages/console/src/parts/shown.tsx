import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Read } from '../data/read.ts';
import { en } from '../text/en.ts';
import { Alert, Skeleton } from './states.tsx';
import { When } from './values.tsx';

interface ShownProps<T> {
  readonly of: Read<T>;
  /** Nothing is shown before these have arrived too: shown content must not move. */
  readonly after?: readonly Read<unknown>[];
  /** The rows of the skeleton: about as many as the document will have. */
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
}

/**
 * Keeps the old document during a reload or after a failure; shows a skeleton only after a delay.
 */
export function Shown<T>({ of, after = [], rows = 8, children }: ShownProps<T>) {
  const { data, isStale } = of;
  if ([of, ...after].some(({ isPending }) => isPending)) return <Loading rows={rows} />;
  return (
    <>
      <ReadFailure of={of} />
      {data !== undefined && <div aria-busy={isStale}>{children(data)}</div>}
    </>
  );
}

export function ReadFailure({ of }: { readonly of: Read<unknown> }) {
  const { data, failure, at, again } = of;
  if (failure === undefined) return null;
  return (
    <Alert
      tone="bad"
      actions={
        <button type="button" class="small" onClick={again}>
          {en.again}
        </button>
      }
    >
      {failure.message}
      {data !== undefined && at !== undefined && (
        <>
          {' '}
          {en.shownFrom} <When at={new Date(at).toISOString()} />
        </>
      )}
    </Alert>
  );
}

/** Prevents flicker where the response is fast. */
const patienceMs = 150;

function Loading({ rows }: { readonly rows: number }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isLate ? 'card coming' : 'card coming unseen'}>
      <output class="hide">{isLate ? en.loading : ''}</output>
      <Skeleton rows={rows} />
    </div>
  );
}
