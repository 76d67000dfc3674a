// The output of `config diff`.

export interface FileComparison {
  readonly file: string;
  readonly config: string;
  readonly apps: readonly AppDifference[];
  /** Shared budgets; missing if there are none. */
  readonly budgets?: readonly BudgetDifference[];
  readonly hooks?: readonly WebhookDifference[];
  /** Only changed prices; missing if there are none. */
  readonly prices?: readonly PriceDifference[];
}

export interface AppDifference {
  readonly app: string;
  /** `leave`: nothing happens; `refuse`: startup fails. */
  readonly atStart: 'create' | 'change' | 'leave' | 'disable' | 'keep' | 'refuse';
  readonly settings: readonly SettingAtStart[];
}

export interface BudgetDifference {
  readonly budget: string;
  /** `keep`: it has left the file, and still applies. */
  readonly atStart: 'create' | 'change' | 'leave' | 'keep';
  readonly settings: readonly SettingAtStart[];
}

export interface WebhookDifference {
  readonly hook: string;
  /**
   * `tell`: no events before; `leave`: unchanged; `off`: it answered 410; `end`: it left
   * the file.
   */
  readonly atStart: 'tell' | 'leave' | 'off' | 'end';
  readonly waiting: number;
}

export interface PriceDifference {
  readonly model: string;
  /** Null where the store has none. */
  readonly store: string | null;
  /** Null where neither the file nor a built-in row has one. */
  readonly file: string | null;
}

export interface SettingAtStart {
  readonly setting: string;
  /** Null where the store lacks it. */
  readonly store: string | null;
  readonly file: string;
  /** True where startup sets it; values changed by a command stay. */
  readonly isSet: boolean;
}
