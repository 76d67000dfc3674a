/** Never contains a secret. */
export interface AuditLine extends AuditNote {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface AuditNote {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason?: string | undefined;
  /** The operator's; unique per action and subject. */
  readonly reference?: string | undefined;
  /** Set if the subject does not name the call. */
  readonly callId?: string | undefined;
  /** The role, and the session or token of the console. */
  readonly via?: string | undefined;
}
