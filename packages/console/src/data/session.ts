import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Controls only the display: the service checks again. */
export interface Session {
  readonly name: string;
  readonly role: 'viewer' | 'team' | 'finance' | 'operator';
  /** Null for all apps. */
  readonly apps: readonly string[] | null;
  readonly may: readonly string[];
  readonly expiresAt: string | null;
  readonly company: string;
  readonly version: string;
}

/** Undefined on the login page. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session | undefined {
  return useContext(SessionContext);
}

export function useMay(action: string): boolean {
  return useSession()?.may.includes(action) === true;
}
