import { useRef } from 'preact/hooks';

/** Begins work when the previous work has ended, successfully or not. */
export type InTurn = <Done>(work: () => Promise<Done>) => Promise<Done>;

/** A change must not overtake its own preview, which the service might still be reading. */
export function useInTurn(): InTurn {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return (work) => {
    const next = last.current.then(work, work);
    last.current = next;
    return next;
  };
}
