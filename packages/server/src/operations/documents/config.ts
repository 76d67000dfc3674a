// What `config diff` prints.

export interface FileComparison {
  readonly file: string;
  readonly config: string;
  readonly apps: readonly AppDifference[];
  /** Budgets that apps share; missing where there are none. */
  readonly budgets?: readonly BudgetDifference[];
  readonly hooks?: readonly WebhookDifference[];
  /** Only changed prices; missing where there are none. */
  readonly prices?: readonly PriceDifference[];
}

export interface AppDifference {
  readonly app: string;
  /** `leave`: nothing happens; `refuse`: the start fails. */
  readonly atStart: 'create' | 'change' | 'leave' | 'disable' | 'keep' | 'refuse';
  readonly settings: readonly SettingAtStart[];
}

export interface BudgetDifference {
  readonly budget: string;
  /** `keep`: it has left the file, and still holds. */
  readonly atStart: 'create' | 'change' | 'leave' | 'keep';
  readonly settings: readonly SettingAtStart[];
}

export interface WebhookDifference {
  readonly hook: string;
  /**
   * `tell`: no events before; `leave`: as before; `off`: it answered 410; `end`: it left the file.
   */
  readonly atStart: 'tell' | 'leave' | 'off' | 'end';
  readonly waiting: number;
}

export interface PriceDifference {
  readonly model: string;
  /** Null where the store has none. */
  readonly store: string | null;
  /** Null where neither the file nor what ships has one. */
  readonly file: string | null;
}

export interface SettingAtStart {
  readonly setting: string;
  /** Null where the store lacks it. */
  readonly store: string | null;
  readonly file: string;
  /** Whether a start sets it; values changed by a command stay. */
  readonly isSet: boolean;
}
