import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Whether the service tells this page of changes; undefined until it was asked to. */
export const Live = createContext<boolean | undefined>(undefined);

export function useIsLive(): boolean | undefined {
  return useContext(Live);
}
