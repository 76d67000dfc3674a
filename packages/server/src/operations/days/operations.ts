import {
  app as appField,
  argument,
  flag,
  type Input,
  line,
  optional,
  usd,
} from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { InputError } from '../description/read-input.ts';
import { sameReference } from '../description/text-lines.ts';
import { day as dayField } from '../description/time-fields.ts';
import { openedBy, planRestore, reopeningLine, restoreAction } from '../restores/restores.ts';
import { closeDays } from './days.ts';
import {
  closedLines,
  closingIntentLines,
  plannedPruneLines,
  prunedLines,
  reopenedAllLines,
  reopenedLines,
  reopeningIntentLines,
} from './lines.ts';
import { closesAll, closingAction, planClosing } from './plan-closing.ts';
import { planPrune, pruneDays } from './prune.ts';
import { planReopenAll, planReopening, reopenAll, reopenDay } from './reopen.ts';

/** Command arguments; `all` means every app. */
const appOrAll = (about: string) => ({
  app: argument(optional(appField('app'))),
  all: flag(about),
});

function oneOrAll({ app, all, ...given }: Readonly<Record<string, unknown>>) {
  if ((app === undefined) === (all === true) && app !== 'all')
    return { ...given, app: app ?? 'all' };
  throw new InputError('app', 'must be the name of one app; use --all instead for all apps');
}

function plannedChange(
  action: string,
  subject: string,
  before: string | null,
  after: string | null,
) {
  return { action, subject, before, after };
}

const day = optional(dayField('UTC day, for example 2026-11-21 (default: today)'));
const booking = {
  day,
  usd: optional(usd('amount that the platform billed and the ledger lacks')),
  reference: optional(line(255, 'with --usd: idempotency reference, applied once', 'reference')),
};
const closing = {
  app: appField('app, or `all` for all apps with a daily budget'),
  ...booking,
};

function closingOf({ app, usd: picoUsd, ...rest }: Input<typeof closing>) {
  return { ...rest, picoUsd, app: app === 'all' ? undefined : app };
}

const close = operation({
  name: 'days close',
  about: 'after a restore, book lost calls: the rest of the budget, or an amount',
  right: 'money',
  kind: 'change',
  http: ['POST /days/close'],
  apps: { named: 'body' },
  input: closing,
  example: { app: 'search' },
  commands: [
    {
      input: { ...appOrAll('all apps with a daily budget, and all other budgets'), ...booking },
      toInput: oneOrAll,
    },
  ],
  result: async () => (await import('../documents/days.ts')).DaysClosed,
  danger: {
    subject: ({ app }) => app,
    intent: (planned, _input, changes) =>
      closingIntentLines(
        planned.filter(({ callId }) => callId === null),
        changes.find(({ action }) => action === restoreAction)?.after ?? undefined,
      ),
  },
  async warnings({ admin }, input, isDryRun) {
    const request = closingOf(input);
    const isKnown = (await planClosing(admin, request)).some(({ callId }) => callId !== null);
    const closed = closesAll(request) && !isDryRun ? (await planRestore(admin)).names : '';
    return [
      ...(isKnown ? [sameReference] : []),
      ...(closed === '' ? [] : [`Closed: ${closed}. ${openedBy}.`]),
    ];
  },
  async plan({ admin }, input) {
    const request = closingOf(input);
    const result = await planClosing(admin, request);
    const restored = closesAll(request) ? [(await planRestore(admin)).names] : [];
    const days = result
      .filter(({ callId }) => callId === null)
      .map((row) => plannedChange(closingAction, `${row.app} ${row.day}`, null, row.bookedUsd));
    const all = restored.map((names) => plannedChange(restoreAction, 'store', null, names));
    return { changes: [...all, ...days], result };
  },
  run: ({ admin }, input) => closeDays(admin, closingOf(input)),
  lines: closedLines,
});

const reopen = operation({
  name: 'days reopen',
  about: 'undo "days close" when no call was lost',
  right: 'money',
  kind: 'change',
  http: ['POST /days/reopen'],
  apps: { named: 'body' },
  input: {
    app: appField('app, or `all` for all apps and all budgets that a restore closed'),
    day,
  },
  example: { app: 'search' },
  commands: [
    {
      input: { ...appOrAll('all apps, and all other budgets that a restore closed'), day },
      toInput: oneOrAll,
      document: (reopened, _admin, { app }) => (app === 'all' ? reopened : reopened.days),
    },
  ],
  result: async () => (await import('../documents/days.ts')).AllReopened,
  sends: {
    schema: async () => (await import('../documents/days.ts')).DaysReopened,
    of: ({ days }) => days,
  },
  danger: {
    subject: ({ app }) => (app === 'all' ? app : undefined),
    actsWithoutTerminal: ({ app }) => app !== 'all',
    intent: (planned, { app }) =>
      app === 'all'
        ? ['These will be opened, and their calls admitted again:', ...reopenedAllLines(planned)]
        : reopeningIntentLines(planned.days),
  },
  async plan({ admin }, { app, day: of }) {
    const isAll = app === 'all';
    const result = isAll
      ? await planReopenAll(admin, of)
      : { ...noBudget, days: await planReopening(admin, { app, day: of }) };
    const days = result.days.map((row) =>
      plannedChange('day.reopen', `${row.app} ${row.day}`, row.freedUsd, '0'),
    );
    return { changes: [...(result.opensBudgets ? [reopeningLine('all')] : []), ...days], result };
  },
  run: async ({ admin }, { app, day: of }) =>
    app === 'all'
      ? reopenAll(admin, of)
      : { ...noBudget, days: await reopenDay(admin, { app, day: of }) },
  lines: (reopened, { app }) =>
    app === 'all' ? reopenedAllLines(reopened) : reopenedLines(reopened.days),
});

const noBudget = { opensBudgets: false, budgets: [], runs: 0 };

const prune = operation({
  name: 'days prune',
  about: 'delete call records of past months; usage and budgets are kept',
  kind: 'change',
  http: ['POST /days/prune'],
  opens: 'store',
  input: { before: dayField('first UTC day to keep') },
  example: { before: '2026-11-01' },
  result: async () => (await import('../documents/days.ts')).CallsPruned,
  hasFormerNames: true,
  danger: {
    subject: ({ before }) => before,
    ...{ intent: plannedPruneLines, planned: plannedPruneLines },
  },
  async plan({ admin }, pruning) {
    const result = await planPrune(admin, pruning);
    const made = plannedChange('day.prune', 'calls', null, result.prunedBefore);
    return { changes: result.calls === 0 ? [] : [made], result };
  },
  run: ({ admin }, pruning) => pruneDays(admin, pruning),
  lines: prunedLines,
});

export const days: readonly Operation[] = [close, reopen, prune];
