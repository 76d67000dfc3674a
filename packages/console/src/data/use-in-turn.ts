import { useRef } from 'preact/hooks';

/** Begins work when the work before it has ended, whatever that came to. */
export type InTurn = <Done>(work: () => Promise<Done>) => Promise<Done>;

/**
 * The requests of a dialog, one after the other: a change does not overtake its own preview, which
 * the service may still be reading.
 */
export function useInTurn(): InTurn {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return (work) => {
    const next = last.current.then(work, work);
    last.current = next;
    return next;
  };
}
