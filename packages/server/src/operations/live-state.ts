import type { GuardSnapshot } from '../platforms/outage/guard.ts';

/** What a process that serves knows of itself, for those who look at it; all is read at once. */
export interface LiveState {
  readonly instanceId: string;
  readonly version: string;
  readonly configHash: string;
  /** Of this process, all its threads: each replica has its own. */
  circuits(): GuardSnapshot;
  platforms(): readonly PlatformNote[];
  load(): Load;
  /** Where callers are answered; undefined until the listener is open. */
  url(): string | undefined;
  /** Says where: a configuration with port 0 does not know. */
  tellUrl(url: string): void;
}

/** What one more thread of the process has last said of itself. */
export interface ThreadState {
  readonly instanceId: string;
  readonly circuits: GuardSnapshot;
  readonly load: Load;
  /** Whether the store has its last sign of life. */
  readonly isAlive: boolean;
}

/** What is known of a platform. */
export interface PlatformNote {
  readonly name: string;
  readonly state: string;
  /** What is wrong and what to do; null when nothing is known to be. */
  readonly problem: string | null;
}

/** What goes on now. */
export interface Load {
  readonly requests: number;
  readonly bodyBytes: number;
  readonly bodyBytesMax: number;
  readonly runningCalls: number;
  readonly drains: number;
  readonly streams: number;
  /** Ledger operations that wait. */
  readonly queue: number;
}
