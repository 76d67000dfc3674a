import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Who looks, and what they may: what is shown follows it, and the service checks it again. */
export interface Session {
  readonly name: string;
  readonly role: 'viewer' | 'team' | 'finance' | 'operator';
  /** Null for all of them. */
  readonly apps: readonly string[] | null;
  readonly may: readonly string[];
  readonly expiresAt: string | null;
  readonly company: string;
  readonly version: string;
}

/** The session of the page; there is none on the login page. */
export const Who = createContext<Session | undefined>(undefined);

/** Who looks. */
export function useWho(): Session | undefined {
  return useContext(Who);
}

/** Whether they may do something, as the table of roles names it. */
export function useMay(action: string): boolean {
  return useWho()?.may.includes(action) === true;
}
