/** A line of the audit log: who changed what, from what to what. Never a secret. */
export interface AuditLine extends AuditNote {
  /** Undefined for what was not there before. */
  readonly before: string | undefined;
  /** Undefined for what is not there any more. */
  readonly after: string | undefined;
}

/** What a line says before it is known what the change comes to. */
export interface AuditNote {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  /** Why, in the operator's own words. */
  readonly reason?: string | undefined;
  /** What the operator calls it: no second line has the same action, subject and reference. */
  readonly reference?: string | undefined;
  /** The call whose record the change is of, where the subject does not name it. */
  readonly callId?: string | undefined;
  /** In which role and by which session or token of the console. */
  readonly via?: string | undefined;
}
