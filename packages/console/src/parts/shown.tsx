import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Read } from '../data/read.ts';
import { en } from '../text/en.ts';
import { When } from './values.tsx';

interface ShownProps<T> {
  readonly of: Read<T>;
  readonly children: (data: T) => ComponentChildren;
}

/**
 * Keeps the old document during a reload or after a failure; shows the loading text only after a
 * delay.
 */
export function Shown<T>({ of, children }: ShownProps<T>) {
  const { data, failure, isStale } = of;
  if (data === undefined && failure === undefined) return <Loading />;
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
    <div role="alert" class="failure">
      <p>{failure.message}</p>
      {data !== undefined && at !== undefined && (
        <p>
          {en.shownFrom} <When at={new Date(at).toISOString()} />
        </p>
      )}
      <button type="button" onClick={again}>
        {en.again}
      </button>
    </div>
  );
}

/** Prevents flicker where the answer comes at once. */
const patienceMs = 150;

function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return <output class="loading">{isLate ? en.loading : ''}</output>;
}
