import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Whether the service tells this page of changes. */
export const Live = createContext(false);

export function useIsLive(): boolean {
  return useContext(Live);
}
