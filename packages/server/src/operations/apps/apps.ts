import type { AppSettings } from '../../domain/app.ts';
import { appNamePattern } from '../../domain/key-name.ts';
import { creditsIn } from '../../domain/registered-app.ts';
import { nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { isDecided, type Statement } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import {
  type AppRow,
  projectNameOf,
  selectApp,
  selectApps,
  selectProjectName,
  selectRevision,
  storedSettings,
} from '../../store/queries/registry.ts';
import { text } from '../../store/schema/columns.ts';
import type { StoredApp } from '../../store/schema/service-tables.ts';
import { storedApps } from '../budgets/budget-apps.ts';
import { appBudgetChanges } from '../budgets/budget-changes.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import { changeRegistry } from '../context/change-registry.ts';
import type { AdminContext } from '../context/context.ts';
import { type AppDocument, appDocument, settingsTag } from './app-document.ts';
import { defaultSettings, liveSettings, settingsJson } from './app-settings.ts';
import { ownName, refuseDefault, sharedError } from './own-projects.ts';

/** Throws an AdminError for an invalid or existing name. */
export async function createApp(
  context: AdminContext,
  name: string,
  settings: Partial<AppSettings>,
): Promise<AppDocument> {
  if (!appNamePattern.test(name)) {
    throw new AdminError(
      `"${name}" is not a valid app name: use 1–63 characters of a–z, 0–9 and "-", starting with a letter`,
      { isBadValue: true, field: 'name' },
    );
  }
  refuseDefault(settings.project);
  const settingsText = settingsJson(settings);
  const statements = creation(context, { name, origin: 'command', settings, settingsText });
  const counts = await changeRegistry(context, statements);
  if (counts[0] === 0) {
    throw new AdminError(`the app ${name} already exists; change it with "apps update ${name}"`);
  }
  if (!isDecided(statements, counts)) throw await sharedNameError(context, name, settings.project);
  return findApp(context, name);
}

/**
 * Also changes today's budget. Throws an AdminError with the current state where the app no longer
 * matches `expected`.
 */
export async function updateApp(
  context: AdminContext,
  name: string,
  settings: Partial<AppSettings>,
  expected?: string,
): Promise<AppDocument> {
  refuseDefault(settings.project);
  const isWritten = await changeApp(context, name, expected, (row) =>
    changes(context, row, settings),
  );
  if (!isWritten) throw await sharedNameError(context, name, settings.project);
  return findApp(context, name);
}

function changedSince(now: AppDocument): AdminError {
  const change = `the app ${now.name} was changed by someone else`;
  return new AdminError(`${change}; nothing was done. Check its current settings and try again`, {
    now,
  });
}

/** Retries after another registry change. */
const triesMax = 5;

/**
 * Returns false where a statement found no row. With `expected`, a {@link settingsTag}, the app
 * must still match at the write; throws an AdminError otherwise.
 */
export async function changeApp(
  context: AdminContext,
  name: string,
  expected: string | undefined,
  changesOf: (row: AppRow) => readonly Statement[] | Promise<readonly Statement[]>,
): Promise<boolean> {
  for (let tries = 1; tries <= triesMax; tries++) {
    // Must come before the row's read: a change between the two reads then rejects this one.
    const revision = await context.store.read(selectRevision);
    const row = await appRow(context, name);
    const now = appDocument(row);
    if (expected !== undefined && expected !== settingsTag(now)) throw changedSince(now);
    const revisionCheck = expected === undefined ? [] : [sql.unlessRevised(revision)];
    const statements = [...revisionCheck, ...(await changesOf(row))];
    const counts = await changeRegistry(context, statements);
    const isOvertaken = revisionCheck.length > 0 && counts[0] === 0;
    if (!isOvertaken) return isDecided(statements, counts);
  }
  throw new AdminError('too many concurrent changes; try again');
}

/** Throws an AdminError for an unknown app. */
export async function findApp(context: AdminContext, name: string): Promise<AppDocument> {
  return appDocument(await appRow(context, name));
}

/** Throws an AdminError for an unknown app. */
export async function appRow(context: AdminContext, name: string): Promise<AppRow> {
  const row = await context.store.read(selectApp(name, context.company));
  if (row === undefined) {
    throw new AdminError(`unknown app ${name}; run "apps list"`, {
      isUnknown: true,
      hint: didYouMean(name, await storedApps(context)),
    });
  }
  return row;
}

/** The app's row comes first, then its audit line and checks. */
export function creation(
  context: AdminContext,
  app: {
    readonly name: string;
    readonly origin: AppRow['origin'];
    readonly settings: Partial<AppSettings>;
    /** The requested settings as JSON, for the audit log and to detect file changes. */
    readonly settingsText: string;
  },
): readonly Statement[] {
  const { name, origin, settings, settingsText } = app;
  const values = sql.insertApp.bind({
    ...{ name, origin, ...storedSettings({ ...defaultSettings, ...settings }) },
    fileValues: origin === 'file' ? settingsText : undefined,
    createdAt: context.clock.now(),
  });
  return [
    { sql: sql.insertApp.sql, values, abortIfNoRows: true },
    auditLine(context, { action: 'app.create', subject: name, after: settingsText }),
    ...appBudgetChanges(context, { name, origin }, {}, settings),
    ownName(context, name),
  ];
}

async function sharedNameError(
  { store, company }: AdminContext,
  name: string,
  project = projectNameOf(company, name),
): Promise<AdminError> {
  const rows = await store.read(selectApps(company));
  const owner = rows.find((row) => row.name !== name && row.project.trim() === project.trim());
  return sharedError(project, owner?.name);
}

export async function changes(
  context: AdminContext,
  row: AppRow,
  settings: Partial<AppSettings>,
): Promise<readonly Statement[]> {
  const project = await context.store.read(selectProjectName(row.name));
  const before = { ...liveSettings(row), project };
  const after = { ...before, ...settings };
  const today = utcDayOf(context.clock.now());
  const stored = {
    name: row.name,
    ...storedSettings(after),
    ...earlierCredits(context, row, after),
  };
  return [
    { sql: sql.updateApp.sql, values: sql.updateApp.bind(stored) },
    // A change of another setting keeps a budget that is only for today.
    ...('dailyBudgetPicoUsd' in settings
      ? await capUpdates(context, row.name, after.dailyBudgetPicoUsd ?? null, today)
      : []),
    ...appBudgetChanges(context, row, before, after),
    ...updateLines(context, row.name, { before: settingsJson(before), after: settingsJson(after) }),
    ...(after.project === before.project ? [] : [ownName(context, row.name)]),
  ];
}

/** Empty where nothing changes. */
function updateLines(
  context: AdminContext,
  subject: string,
  { before, after }: { readonly before: string; readonly after: string },
): readonly Statement[] {
  if (before === after) return [];
  return [auditLine(context, { action: 'app.update', subject, before, after })];
}

/** Follows the order in which calls lock days, which prevents deadlocks. */
async function capUpdates(
  context: AdminContext,
  app: string,
  cap: bigint | null,
  today: string,
): Promise<readonly Statement[]> {
  const days = await context.store.read({
    sql: sql.selectDaysSince,
    values: [app, today],
    map: (rows) => rows.map((row) => text(row, 'day')),
  });
  return [
    ...days.map((day) => ({ sql: sql.updateCap, values: [app, cap, day] })),
    { sql: sql.updateOtherCaps, values: [app, cap, today] },
  ];
}

/** A wallet has one credit value for a month, so a new value waits for the next month. */
function earlierCredits(
  context: AdminContext,
  row: AppRow,
  after: AppSettings,
): Pick<StoredApp, 'creditsSince' | 'grantBefore' | 'picoUsdPerCreditBefore'> {
  const nowMs = context.clock.now();
  const inForce = creditsIn(row, utcMonthOf(nowMs));
  const isSame = after.credits?.picoUsdPerCredit === inForce?.picoUsdPerCredit;
  const before = after.credits === undefined || isSame ? undefined : inForce;
  return {
    creditsSince: before && utcMonthOf(nextUtcMonthMs(nowMs)),
    grantBefore: before?.monthlyGrantPicoUsd,
    picoUsdPerCreditBefore: before?.picoUsdPerCredit,
  };
}
