import type { AppConfig } from '../config/config.ts';
import { type AppRow, projectNameOf, selectApps } from '../registry/queries.ts';
import { isDecided } from '../store/decided.ts';
import type { Statement } from '../store/port.ts';
import { type AppSettings, settingsJson, settingsOf } from './app-settings.ts';
import { changes, creation } from './apps.ts';
import { changeRegistry, type Office, OfficeError } from './office.ts';
import { sharedError } from './own-projects.ts';
import * as sql from './statements.ts';

/** How often a file is compared anew since another service has created an app meanwhile. */
const triesMax = 5;

/**
 * Makes the declared apps what the configuration file says: it creates what is missing, sets what
 * the file has changed since it was last read, and disables what has left it. Apps that the command
 * line made are not touched; those that the file declares as well are named in the answer. All of
 * it is one transaction: throws an OfficeError, with nothing changed, when an app's project would
 * have the name of another's.
 */
export async function applyFile(
  office: Office,
  declared: readonly AppConfig[],
): Promise<{ readonly notTouched: readonly string[] }> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const rows = await office.store.read(selectApps(office.company));
    const known = new Map(rows.map((row) => [row.name, row]));
    const statements = await statementsOf(office, declared, rows);
    const counts = statements.length === 0 ? [] : await changeRegistry(office, statements);
    if (isDecided(statements, counts)) {
      const names = declared.map(({ name }) => name);
      return { notTouched: names.filter((name) => known.get(name)?.origin === 'command') };
    }
    const checked = statements.filter(isCheck).map(({ values: [name] }) => name);
    const changed = declared.filter(({ name }) => checked.includes(name));
    const shared = sharedNameIn(office, changed, rows);
    if (shared !== undefined) throw shared;
  }
  throw new OfficeError('the apps of the store changed too often: start again');
}

/** What the file changes; the checks of names come last, since two apps may swap theirs. */
async function statementsOf(
  office: Office,
  declared: readonly AppConfig[],
  rows: readonly AppRow[],
): Promise<readonly Statement[]> {
  const known = new Map(rows.map((row) => [row.name, row]));
  const statements: Statement[] = [];
  for (const app of declared) {
    const row = known.get(app.name);
    if (row === undefined) statements.push(...declaration(office, app));
    else if (row.origin === 'file') statements.push(...(await changesOf(office, app, row)));
  }
  const names = new Set(declared.map((app) => app.name));
  for (const row of rows) {
    if (row.origin === 'file' && !names.has(row.name)) {
      statements.push(...(await retirement(office, row)));
    }
  }
  return [...statements.filter((of) => !isCheck(of)), ...statements.filter(isCheck)];
}

function isCheck({ sql: text }: Statement): boolean {
  return text === sql.checkOwnName;
}

/** The first of some apps that would have the name of another's project, with the file applied. */
function sharedNameIn(
  office: Office,
  changed: readonly AppConfig[],
  rows: readonly AppRow[],
): OfficeError | undefined {
  const projects = new Map(rows.map((row) => [row.name, row.project]));
  for (const { name, project } of changed) {
    projects.set(name, project ?? projects.get(name) ?? projectNameOf(office.company, name));
  }
  for (const { name } of changed) {
    const project = projects.get(name) ?? '';
    const owner = [...projects].find(
      ([other, theirs]) => other !== name && theirs.trim() === project.trim(),
    );
    if (owner !== undefined) return sharedError(`app ${name}: ${project}`, owner[0]);
  }
  return undefined;
}

/**
 * Creates the declared apps that the store lacks, and changes nothing else: commands may be used
 * before the first start, and looking at a store must not put a half-edited file in force. Answers
 * why some of them were not created, which a start would refuse.
 */
export async function declareMissing(
  office: Office,
  declared: readonly AppConfig[],
): Promise<readonly string[]> {
  const rows = await office.store.read(selectApps(office.company));
  const known = new Set(rows.map(({ name }) => name));
  const refusals: string[] = [];
  for (const app of declared) {
    if (known.has(app.name)) continue;
    const statements = declaration(office, app);
    const counts = await changeRegistry(office, statements);
    if (counts[0] === 0 || isDecided(statements, counts)) continue;
    const shared = sharedNameIn(office, [app], rows);
    refusals.push(shared?.message ?? `app ${app.name} could not be created`);
  }
  return refusals;
}

function declaration(office: Office, app: AppConfig): readonly Statement[] {
  const { name, ...named } = app;
  const settings = settingsOf(named);
  return creation(office, { name, origin: 'file', settings, said: settingsJson(named) });
}

/** What `file_values` holds for an app that has left the file. */
const leftTheFile = 'left';

async function changesOf(
  office: Office,
  app: AppConfig,
  row: AppRow,
): Promise<readonly Statement[]> {
  const { name: _name, ...named } = app;
  const json = settingsJson(named);
  if (json === row.fileValues) return [];
  const hadLeft = row.fileValues === leftTheFile;
  const last: Record<string, unknown> = hadLeft ? {} : JSON.parse(row.fileValues ?? '{}');
  const now: Record<string, unknown> = JSON.parse(json);
  const isNew = (name: string) => JSON.stringify(now[name]) !== JSON.stringify(last[name]);
  const changed = settingsOf(
    Object.fromEntries(Object.entries(named).filter(([name]) => isNew(name))),
  );
  const settings: Partial<AppSettings> = hadLeft ? { enabled: true, ...changed } : changed;
  return [
    ...(await changes(office, row, settings)),
    { sql: sql.updateFileValues, values: [app.name, json] },
  ];
}

async function retirement(office: Office, row: AppRow): Promise<readonly Statement[]> {
  if (row.fileValues === leftTheFile) return [];
  return [
    ...(await changes(office, row, { enabled: false })),
    { sql: sql.updateFileValues, values: [row.name, leftTheFile] },
  ];
}
