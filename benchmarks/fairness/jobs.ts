/** What the attacker's process is told to do. */
export interface AttackJob {
  readonly vectorName: string;
  readonly url: string;
  /** The address that it connects from. */
  readonly localAddress: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  /** Of the app whose budget is used up. */
  readonly poorKey: string;
  readonly admin: AdminAccess;
}

/** The admin listener, and an operator's token. */
export interface AdminAccess {
  readonly url: string;
  readonly token: string;
}

/** The result of the attack. */
export interface AttackResult {
  readonly seconds: number;
  /** How often each status came; 0 is a connection that ended, or could not be opened. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** What the victim's process is told to do. */
export interface VictimJob {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The end of every good answer. */
  readonly expects: string;
  readonly opensConnections: boolean;
  readonly seconds: number;
}

/** One call of the victim; a lost one took as long as its patience. */
export interface VictimCall {
  readonly isAnswered: boolean;
  readonly tookMs: number;
  /** Why it is lost. */
  readonly problem?: string;
}
