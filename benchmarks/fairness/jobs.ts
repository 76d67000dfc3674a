/** The attacker's job. */
export interface AttackJob {
  readonly vectorName: string;
  readonly url: string;
  readonly localAddress: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  /** The key of the app whose budget is used up. */
  readonly poorKey: string;
  readonly admin: AdminAccess;
}

/** The admin listener, and an operator's token. */
export interface AdminAccess {
  readonly url: string;
  readonly token: string;
}

export interface AttackResult {
  readonly seconds: number;
  /** The count of each status; 0 is a connection that ended or did not open. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** The victim's job. */
export interface VictimJob {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The end of every good response. */
  readonly expects: string;
  readonly opensConnections: boolean;
  readonly seconds: number;
}

/** One call of the victim; a lost call took as long as the victim's patience. */
export interface VictimCall {
  readonly isAnswered: boolean;
  readonly tookMs: number;
  readonly problem?: string;
}
