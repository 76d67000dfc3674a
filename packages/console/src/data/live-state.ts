import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Whether the service streams changes to this page; undefined before the first try. */
export const Live = createContext<boolean | undefined>(undefined);

export function useIsLive(): boolean | undefined {
  return useContext(Live);
}
