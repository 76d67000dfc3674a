import { hostname } from 'node:os';
import type { AppConfig } from '../../domain/app.ts';
import type { Config } from '../../domain/config.ts';
import { isDecided, type Statement } from '../../store/port/port.ts';
import { shortHash } from '../../store/queries/instances.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import {
  type AppRow,
  projectNameOf,
  selectApps,
  selectKeys,
} from '../../store/queries/registry.ts';
import { settingsJson, settingsOf } from '../apps/app-settings.ts';
import { changes, creation } from '../apps/apps.ts';
import {
  type MissingAppsPolicy,
  missingSentence,
  type PlannedApp,
  planFile,
  removedFromFile,
} from '../apps/file-plan.ts';
import { sharedError } from '../apps/own-projects.ts';
import { AdminError } from '../context/admin-error.ts';
import { changeRegistry } from '../context/change-registry.ts';
import type { AdminContext } from '../context/context.ts';

/** Retries after another service created an app. */
const triesMax = 5;

export interface AppliedFile {
  readonly apps: readonly PlannedApp[];
}

/** Thrown where the new file lacks apps of the old one. */
export class MissingAppsError extends AdminError {
  readonly apps: readonly string[];
  constructor(apps: readonly string[], file: string) {
    super(missingSentence(apps, file));
    this.apps = apps;
  }
}

/**
 * Apps from the command line stay. One transaction: throws an AdminError for a shared project name,
 * and a {@link MissingAppsError} when apps with working keys have left the file.
 */
export async function applyFile(
  context: AdminContext,
  declared: readonly AppConfig[],
  { missing = 'refuse', file = 'the file' }: { missing?: MissingAppsPolicy; file?: string } = {},
): Promise<AppliedFile> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const rows = await context.store.readForOperator(selectApps(context.company));
    const apps = planFile(declared, rows, await context.store.readForOperator(selectKeys));
    const lost = apps.filter(({ kind }) => kind === 'missing').map(({ name }) => name);
    if (lost.length > 0 && missing === 'refuse') throw new MissingAppsError(lost, file);
    const statements = await statementsOf(context, apps, missing);
    const counts = statements.length === 0 ? [] : await changeRegistry(context, statements);
    if (isDecided(statements, counts)) return { apps };
    const checked = statements.filter(isCheck).map(({ values: [name] }) => name);
    const changed = declared.filter(({ name }) => checked.includes(name));
    const shared = sharedNameIn(context, changed, rows);
    if (shared !== undefined) throw shared;
  }
  throw new AdminError('too many concurrent changes of the apps; start again');
}

/** Name checks come last, since two apps may swap names. */
async function statementsOf(
  context: AdminContext,
  apps: readonly PlannedApp[],
  missing: MissingAppsPolicy,
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  for (const planned of apps) {
    if (planned.kind === 'create') statements.push(...declaration(context, planned.app));
    if (planned.kind === 'change') statements.push(...(await changesOf(context, planned)));
    const leaves = planned.kind === 'unused' || planned.kind === 'missing';
    if (leaves && missing !== 'keep') statements.push(...(await retirement(context, planned.row)));
  }
  return [...statements.filter((statement) => !isCheck(statement)), ...statements.filter(isCheck)];
}

function isCheck({ sql: text }: Statement): boolean {
  return text === sql.checkOwnName;
}

function sharedNameIn(
  context: AdminContext,
  changed: readonly AppConfig[],
  rows: readonly AppRow[],
): AdminError | undefined {
  const projects = new Map(rows.map((row) => [row.name, row.project]));
  for (const { name, project } of changed) {
    projects.set(name, project ?? projects.get(name) ?? projectNameOf(context.company, name));
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
 * Creates only missing apps. Commands may run before the first startup, and a read command must not
 * apply a half-edited file. Returns reasons for apps not created, which would also fail startup.
 */
export async function declareMissing(
  context: AdminContext,
  declared: readonly AppConfig[],
): Promise<readonly string[]> {
  const rows = await context.store.readForOperator(selectApps(context.company));
  const known = new Set(rows.map(({ name }) => name));
  const refusals: string[] = [];
  for (const app of declared) {
    if (known.has(app.name)) continue;
    const statements = declaration(context, app);
    const counts = await changeRegistry(context, statements);
    if (counts[0] === 0 || isDecided(statements, counts)) continue;
    const shared = sharedNameIn(context, [app], rows);
    refusals.push(shared?.message ?? `app ${app.name} could not be created`);
  }
  return refusals;
}

function declaration(context: AdminContext, app: AppConfig): readonly Statement[] {
  const { name, ...named } = app;
  const settings = settingsOf(named);
  return creation(context, { name, origin: 'file', settings, settingsText: settingsJson(named) });
}

async function changesOf(
  context: AdminContext,
  { row, settings, fileValues }: Extract<PlannedApp, { kind: 'change' }>,
): Promise<readonly Statement[]> {
  return [
    ...(await changes(context, row, settings)),
    { sql: sql.updateFileValues, values: [row.name, fileValues] },
  ];
}

async function retirement(context: AdminContext, row: AppRow): Promise<readonly Statement[]> {
  return [
    ...(await changes(context, row, { enabled: false })),
    { sql: sql.updateFileValues, values: [row.name, removedFromFile] },
  ];
}

export function fileActor({ hash }: { readonly hash: Config['hash'] | undefined }): string {
  // A command may read only a part of the file, and then has no hash.
  return `config:${hash === undefined ? 'part' : shortHash(hash)}@${hostname()}`;
}
