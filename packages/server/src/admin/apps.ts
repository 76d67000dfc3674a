import type { AppConfig } from '../config/config.ts';
import { nextUtcMonthMs, utcDayOf, utcMonthOf } from '../lib/clock.ts';
import { creditsIn } from '../registry/app.ts';
import { appNamePattern } from '../registry/key-name.ts';
import { type AppRow, selectApp, selectApps } from '../registry/queries.ts';
import { text } from '../store/columns.ts';
import type { SqlValue, Statement } from '../store/port.ts';
import {
  type AppSettings,
  defaultSettings,
  selectProjectName,
  settingsJson,
  settingsOf,
  settingValues,
} from './app-settings.ts';
import { auditLine, type Office, OfficeError, revisionBump } from './office.ts';
import * as sql from './statements.ts';

/** Registers an app. Throws an OfficeError when the name is bad or taken. */
export async function createApp(
  office: Office,
  name: string,
  settings: Partial<AppSettings>,
): Promise<AppRow> {
  if (!appNamePattern.test(name)) {
    throw new OfficeError(
      `"${name}" is no name for an app: use 1–63 of a–z, 0–9 and "-", beginning with a letter`,
      { isBadValue: true },
    );
  }
  const [inserted] = await office.store.write([
    insertion(office, name, 'command', { ...defaultSettings, ...settings }, null),
    auditLine(office, { action: 'app.create', subject: name, after: settingsJson(settings) }),
    revisionBump,
  ]);
  if (inserted === 0) {
    throw new OfficeError(`the app ${name} exists; change it with "apps update ${name}"`);
  }
  return appRow(office, name);
}

/** Changes what `settings` names of an app, its cap of today included. */
export async function updateApp(
  office: Office,
  name: string,
  settings: Partial<AppSettings>,
): Promise<AppRow> {
  const before = await appRow(office, name);
  await office.store.write(await changes(office, before, settings));
  return appRow(office, name);
}

/** One app as the registry has it. Throws an OfficeError when there is none. */
export async function appRow(office: Office, name: string): Promise<AppRow> {
  const row = await office.store.read(selectApp(name, office.company));
  if (row === undefined) {
    throw new OfficeError(`there is no app ${name}; "apps list" shows those there are`);
  }
  return row;
}

function insertion(
  office: Office,
  name: string,
  origin: AppRow['origin'],
  settings: AppSettings,
  fileValues: string | null,
): Statement {
  const values = [name, origin, ...settingValues(settings), fileValues, office.clock.now()];
  return { sql: sql.insertApp, values, isDecisive: true };
}

async function changes(
  office: Office,
  row: AppRow,
  settings: Partial<AppSettings>,
): Promise<readonly Statement[]> {
  const project = await office.store.read(selectProjectName(row.name));
  const before = settingsOfRow(row, project);
  const after = { ...before, ...settings };
  const today = utcDayOf(office.clock.now());
  return [
    {
      sql: sql.updateApp,
      values: [row.name, ...settingValues(after), ...earlierValues(office, row, after)],
    },
    ...(await capUpdates(office, row.name, after.dailyBudgetPicoUsd ?? null, today)),
    ...updateLines(office, row.name, { before: settingsJson(before), after: settingsJson(after) }),
    revisionBump,
  ];
}

/** A line, unless everything stays as it is. */
function updateLines(
  office: Office,
  subject: string,
  { before, after }: { readonly before: string; readonly after: string },
): readonly Statement[] {
  if (before === after) return [];
  return [auditLine(office, { action: 'app.update', subject, before, after })];
}

/** The caps of the days that run, in the order in which calls lock them: no ring can come of it. */
async function capUpdates(
  office: Office,
  app: string,
  cap: bigint | null,
  today: string,
): Promise<readonly Statement[]> {
  const days = await office.store.read({
    sql: sql.selectDaysSince,
    values: [app, today],
    map: (rows) => rows.map((row) => text(row, 'day')),
  });
  return [
    ...days.map((day) => ({ sql: sql.updateCap, values: [app, cap, day] })),
    { sql: sql.updateOtherCaps, values: [app, cap, today] },
  ];
}

/** A wallet's month has one value of a credit, so a new value waits for the next month. */
function earlierValues(office: Office, row: AppRow, after: AppSettings): SqlValue[] {
  const nowMs = office.clock.now();
  const inForce = creditsIn(row, utcMonthOf(nowMs));
  const isSame = after.credits?.picoUsdPerCredit === inForce?.picoUsdPerCredit;
  if (inForce === undefined || after.credits === undefined || isSame) return [null, null, null];
  const { monthlyGrantPicoUsd, picoUsdPerCredit } = inForce;
  return [utcMonthOf(nextUtcMonthMs(nowMs)), monthlyGrantPicoUsd, picoUsdPerCredit];
}

function settingsOfRow(row: AppRow, project: string | undefined): AppSettings {
  const { isEnabled, dailyBudgetPicoUsd, models, credits, unpriced, storeAnswers } = row;
  return {
    enabled: isEnabled,
    dailyBudgetPicoUsd,
    models: models === undefined ? undefined : [...models],
    credits,
    unpriced,
    storeAnswers,
    project,
    plans: row.plans,
  };
}

/**
 * Makes the declared apps what the configuration file says: it creates what is missing, sets what
 * the file has changed since it was last read, and disables what has left it. Apps that the command
 * line made are not touched; those that the file declares as well are named in the answer.
 */
export async function applyFile(
  office: Office,
  declared: readonly AppConfig[],
): Promise<{ readonly notTouched: readonly string[] }> {
  const rows = await office.store.read(selectApps(office.company));
  const known = new Map(rows.map((row) => [row.name, row]));
  const notTouched: string[] = [];
  for (const app of declared) {
    const row = known.get(app.name);
    if (row?.origin === 'command') notTouched.push(app.name);
    else if (row === undefined) await office.store.write(declaration(office, app));
    else await applyToRow(office, app, row);
  }
  const names = new Set(declared.map((app) => app.name));
  for (const row of rows) {
    if (row.origin === 'file' && !names.has(row.name)) await retire(office, row);
  }
  return { notTouched };
}

/**
 * Creates the declared apps that the store lacks, and changes nothing else: commands may be used
 * before the first start, and looking at a store must not put a half-edited file in force.
 */
export async function declareMissing(
  office: Office,
  declared: readonly AppConfig[],
): Promise<void> {
  const rows = await office.store.read(selectApps(office.company));
  const known = new Set(rows.map(({ name }) => name));
  for (const app of declared) {
    if (!known.has(app.name)) await office.store.write(declaration(office, app));
  }
}

function declaration(office: Office, app: AppConfig): readonly Statement[] {
  const { name: _name, ...named } = app;
  const json = settingsJson(named);
  return [
    insertion(office, app.name, 'file', { ...defaultSettings, ...settingsOf(named) }, json),
    auditLine(office, { action: 'app.create', subject: app.name, after: json }),
    revisionBump,
  ];
}

/** What `file_values` holds for an app that has left the file. */
const leftTheFile = 'left';

async function applyToRow(office: Office, app: AppConfig, row: AppRow) {
  const { name: _name, ...named } = app;
  const json = settingsJson(named);
  if (json === row.fileValues) return;
  const hadLeft = row.fileValues === leftTheFile;
  const last: Record<string, unknown> = hadLeft ? {} : JSON.parse(row.fileValues ?? '{}');
  const now: Record<string, unknown> = JSON.parse(json);
  const isNew = (name: string) => JSON.stringify(now[name]) !== JSON.stringify(last[name]);
  const changed = settingsOf(
    Object.fromEntries(Object.entries(named).filter(([name]) => isNew(name))),
  );
  const settings: Partial<AppSettings> = hadLeft ? { enabled: true, ...changed } : changed;
  await office.store.write([
    ...(await changes(office, row, settings)),
    { sql: sql.updateFileValues, values: [app.name, json] },
  ]);
}

async function retire(office: Office, row: AppRow) {
  if (row.fileValues === leftTheFile) return;
  await office.store.write([
    ...(await changes(office, row, { enabled: false })),
    { sql: sql.updateFileValues, values: [row.name, leftTheFile] },
  ]);
}
