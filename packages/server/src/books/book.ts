import type {
  AnswerRow,
  Attempt,
  AuditLine,
  BudgetDay,
  CallRecord,
  Hold,
  IdempotencyRow,
  ResultRow,
  UsageDay,
  WalletEntry,
  WalletMonth,
  WalletTopup,
} from './rows.ts';

/** The rows that a batch touches, as a store read them under its locks. */
export interface LoadedRows {
  readonly budgets: readonly BudgetDay[];
  readonly wallets: readonly WalletMonth[];
  readonly topups: readonly WalletTopup[];
  readonly holds: readonly Hold[];
  readonly calls: readonly CallRecord[];
  /** Of calls that are put right; those of a call together, and in order. */
  readonly attempts: readonly Attempt[];
  readonly idempotency: readonly IdempotencyRow[];
  readonly entries: readonly WalletEntry[];
  /** Instances that are alive, so that a running call of a dead one may be taken over. */
  readonly liveInstances: ReadonlySet<string>;
}

/** What a batch changed, each row once. */
export interface Changes {
  readonly budgets: readonly BudgetDay[];
  readonly wallets: readonly WalletMonth[];
  readonly topups: readonly WalletTopup[];
  readonly holdsStarted: readonly Hold[];
  readonly holdsChanged: readonly Hold[];
  readonly holdsEnded: readonly string[];
  readonly callsAdded: readonly CallRecord[];
  readonly callsReplaced: readonly CallRecord[];
  readonly attemptsAdded: readonly Attempt[];
  readonly attemptsChanged: readonly Attempt[];
  readonly usage: readonly UsageDay[];
  readonly idempotency: readonly IdempotencyRow[];
  readonly idempotencyForgotten: readonly IdempotencyRow[];
  readonly answers: readonly AnswerRow[];
  readonly results: readonly ResultRow[];
  readonly entries: readonly WalletEntry[];
  readonly lines: readonly AuditLine[];
}

/** The working set of one transaction: operation k sees what operation k−1 left. */
export type Book = ReturnType<typeof createBook>;

/**
 * Every operation asks for keys, and mostly for that of the operation before: a text that is made
 * anew is hashed anew.
 */
function createKeyOf() {
  let last = { a: '', b: '', c: '', key: '\n\n' };
  return (a: string, b: string, c = '') => {
    if (a === last.a && b === last.b && c === last.c) return last.key;
    last = { a, b, c, key: `${a}\n${b}\n${c}` };
    return last.key;
  };
}

/** Opens a working set on rows that a store has read. */
export function createBook(rows: LoadedRows) {
  const keyOf = createKeyOf();
  const usageKeyOf = createKeyOf();
  const budgets = table(rows.budgets, (row) => keyOf(row.app, row.day));
  const wallets = table(rows.wallets, (row) => keyOf(row.app, row.userId, row.month));
  const topups = table(rows.topups, (row) => keyOf(row.app, row.userId));
  const idempotency = table(rows.idempotency, (row) => keyOf(row.app, row.keyHash));
  const holds = createHolds(rows.holds);
  const calls = createCalls(rows.calls);
  const attempts = createAttempts(rows.attempts);
  const entries = table(rows.entries, (row) => keyOf(row.app, row.userId, row.reference));
  const usage = new Map<string, UsageDay>();
  const answers = new Map<string, AnswerRow>();
  const results: ResultRow[] = [];
  const lines: AuditLine[] = [];
  return {
    budgets: { get: (app: string, day: string) => budgets.get(keyOf(app, day)), ...budgets.marks },
    wallets: {
      get: (app: string, userId: string, month: string) => wallets.get(keyOf(app, userId, month)),
      ...wallets.marks,
    },
    topups: {
      get: (app: string, userId: string) => topups.get(keyOf(app, userId)),
      ...topups.marks,
    },
    idempotency: {
      get: (app: string, keyHash: string) => idempotency.get(keyOf(app, keyHash)),
      ...idempotency.marks,
    },
    entries: {
      get: (app: string, userId: string, reference: string) =>
        entries.get(keyOf(app, userId, reference)),
      ...entries.marks,
    },
    holds,
    calls,
    attempts,
    isAlive: (instanceId: string) => rows.liveInstances.has(instanceId),
    /** A call has one: that of a late settlement takes the place of the one its expiry left. */
    putAnswer: (answer: AnswerRow) => void answers.set(answer.callId, answer),
    /** A call leaves a result once: its expiry left none. */
    addResult: (result: ResultRow) => void results.push(result),
    /** Says in the audit log what an operator has changed. */
    addLine: (line: AuditLine) => void lines.push(line),
    addUsage(deltas: readonly UsageDay[]) {
      for (const delta of deltas) {
        addUsage(usage, usageKeyOf(delta.app, delta.day, delta.model), delta);
      }
    },
    changes: (): Changes => ({
      budgets: budgets.changed(),
      wallets: wallets.changed(),
      topups: topups.changed(),
      idempotency: idempotency.changed(),
      idempotencyForgotten: idempotency.forgotten(),
      entries: entries.changed(),
      ...holds.changes(),
      ...calls.changes(),
      ...attempts.changes(),
      usage: [...usage.values()],
      answers: [...answers.values()],
      results,
      lines,
    }),
  };
}

/** Rows by key that remembers which of them were changed, added or forgotten. */
function table<Row>(rows: readonly Row[], key: (row: Row) => string) {
  const byKey = new Map(rows.map((row) => [key(row), row]));
  const changed = new Map<string, Row>();
  const forgotten = new Map<string, Row>();
  return {
    get: (name: string) => byKey.get(name),
    changed: () => [...changed.values()],
    forgotten: () => [...forgotten.values()],
    marks: {
      /** Says that a row was changed, or adds it. */
      put(row: Row) {
        const name = key(row);
        byKey.set(name, row);
        changed.set(name, row);
        forgotten.delete(name);
      },
      forget(row: Row) {
        const name = key(row);
        byKey.delete(name);
        changed.delete(name);
        forgotten.set(name, row);
      },
    },
  };
}

function createHolds(rows: readonly Hold[]) {
  const open = new Map(rows.map((row) => [row.callId, row]));
  const started = new Map<string, Hold>();
  const changed = new Map<string, Hold>();
  const ended = new Set<string>();
  return {
    get: (callId: string) => open.get(callId),
    start(hold: Hold) {
      open.set(hold.callId, hold);
      started.set(hold.callId, hold);
    },
    change(hold: Hold) {
      if (!started.has(hold.callId)) changed.set(hold.callId, hold);
    },
    end(hold: Hold) {
      open.delete(hold.callId);
      changed.delete(hold.callId);
      // A hold that began in this very batch was never written: there is no row to end.
      if (!started.delete(hold.callId)) ended.add(hold.callId);
    },
    changes: () => ({
      holdsStarted: [...started.values()],
      holdsChanged: [...changed.values()],
      holdsEnded: [...ended],
    }),
  };
}

function createCalls(rows: readonly CallRecord[]) {
  const known = new Map(rows.map((row) => [row.callId, row]));
  const added = new Map<string, CallRecord>();
  const replaced = new Map<string, CallRecord>();
  return {
    get: (callId: string) => known.get(callId),
    put(record: CallRecord) {
      const isNew = added.has(record.callId) || !known.has(record.callId);
      known.set(record.callId, record);
      (isNew ? added : replaced).set(record.callId, record);
    },
    changes: () => ({ callsAdded: [...added.values()], callsReplaced: [...replaced.values()] }),
  };
}

/** Attempts of calls; those of a call come and change together. */
function createAttempts(rows: readonly Attempt[]) {
  const known = Map.groupBy(rows, ({ callId }) => callId);
  const added = new Map<string, readonly Attempt[]>();
  const changed = new Map<string, readonly Attempt[]>();
  return {
    /** None for a call whose only attempt is its own row. */
    of: (callId: string) => added.get(callId) ?? changed.get(callId) ?? known.get(callId) ?? [],
    put(attempts: readonly Attempt[]) {
      const [first] = attempts;
      if (first === undefined) return;
      (known.has(first.callId) ? changed : added).set(first.callId, attempts);
    },
    changes: () => ({
      attemptsAdded: [...added.values()].flat(),
      attemptsChanged: [...changed.values()].flat(),
    }),
  };
}

function addUsage(usage: Map<string, UsageDay>, key: string, delta: UsageDay) {
  const sum = usage.get(key);
  usage.set(key, sum === undefined ? delta : sumOf(sum, delta));
}

function sumOf(a: UsageDay, b: UsageDay): UsageDay {
  return {
    app: a.app,
    day: a.day,
    model: a.model,
    calls: a.calls + b.calls,
    errors: a.errors + b.errors,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteInputTokens: a.cacheWriteInputTokens + b.cacheWriteInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cost: a.cost + b.cost,
    estimated: a.estimated + b.estimated,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  };
}
