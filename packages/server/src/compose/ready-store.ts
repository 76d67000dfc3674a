import { instanceDeadMs } from '../books/instance.ts';
import type { AppConfig } from '../domain/app.ts';
import type { Config } from '../domain/config.ts';
import type { Log } from '../lib/log.ts';
import {
  type SettingDifference,
  settingsOf,
  settingTexts,
} from '../operations/apps/app-settings.ts';
import type { MissingAppsPolicy, PlannedApp } from '../operations/apps/file-plan.ts';
import { checkBudgetApps } from '../operations/budgets/budget-apps.ts';
import { applyFile, fileActor } from '../operations/config/declared-apps.ts';
import { type AppliedBudget, applyBudgets } from '../operations/config/declared-budgets.ts';
import type { AdminContext } from '../operations/context/context.ts';
import { bindDeclared, checkDeclared } from '../operations/projects/declared-projects.ts';
import { selectInstances, shortHash } from '../store/queries/instances.ts';

const isReady: unique symbol = Symbol('ready');

/** Only this module creates it, after the apps match the configuration. */
export interface ReadyStore {
  readonly [isReady]: true;
  /** Call it after a successful startup: a failed one must log only its cause. */
  readonly logCreated: () => void;
}

/**
 * Logs each app that this changes, disables, or leaves different from the file. `own`: this
 * process's running services. Throws as {@link applyFile} does, and for another app's project or a
 * budget over a missing app, with nothing changed.
 */
export async function readyStore(
  admin: AdminContext,
  config: Pick<Config, 'apps' | 'budgets' | 'file' | 'hash'>,
  log: Log,
  missing: MissingAppsPolicy,
  own: readonly string[] = [],
): Promise<ReadyStore> {
  const others = await otherConfigurations(admin, config, own);
  const actor = fileActor(config);
  await checkDeclared(admin, config.apps);
  await checkBudgetApps(admin, config);
  const { apps } = await applyFile({ ...admin, actor }, config.apps, {
    missing,
    file: config.file,
  });
  for (const planned of apps) logPlanned(log, planned, missing);
  const ofFile = apps.filter(({ kind }) => kind !== 'command').map(({ name }) => name);
  const declared = config.apps.filter(({ name }) => ofFile.includes(name));
  for (const { app, platform, projectId, before } of await bindDeclared(
    { ...admin, actor },
    declared,
  )) {
    log.info(
      { app, platform, project: projectId, before },
      'app bound to a project by the configuration file',
    );
  }
  for (const budget of await applyBudgets({ ...admin, actor }, config.budgets)) {
    logBudget(log, budget);
  }
  if (others.length > 0) {
    const changed = apps.filter((planned) => isChange(planned, missing)).map(({ name }) => name);
    const line =
      'other replicas run a different configuration; changes made by this start apply to them too';
    log.warn({ config: shortHash(config.hash), others, apps: changed }, line);
  }
  return {
    [isReady]: true,
    logCreated() {
      for (const planned of apps) if (planned.kind === 'create') logCreatedApp(log, planned.app);
    },
  };
}

/** For a thread whose process has already made the store ready. */
export function readyAlready(): ReadyStore {
  return { [isReady]: true, logCreated: () => undefined };
}

/** Short configuration hashes of the other replicas; an embedded store has none. */
async function otherConfigurations(
  { store, clock }: AdminContext,
  { hash }: Pick<Config, 'hash'>,
  own: readonly string[],
) {
  if (store.kind === 'sqlite') return [];
  const instances = await store.read(selectInstances(clock.now() - instanceDeadMs));
  const hashes = instances
    .filter(({ id, configHash }) => !own.includes(id) && configHash !== hash)
    .map(({ configHash }) => configHash);
  return [...new Set(hashes.map(shortHash))];
}

function isChange(planned: PlannedApp, missing: MissingAppsPolicy): boolean {
  if (planned.kind === 'create') return true;
  if (planned.kind === 'change') return planned.differences.length > 0;
  if (planned.kind === 'missing') return missing !== 'keep';
  return planned.kind === 'unused' && planned.row.isEnabled && missing !== 'keep';
}

function logPlanned(log: Log, planned: PlannedApp, missing: MissingAppsPolicy) {
  const app = planned.name;
  switch (planned.kind) {
    case 'change':
      if (planned.differences.length > 0) {
        const changes = shownChanges(planned.differences);
        log.info({ app, changes }, 'app updated from the configuration file');
      }
      return logDrift(log, app, planned.drift);
    case 'same':
      return logDrift(log, app, planned.drift);
    case 'command':
      if (planned.isDeclared) {
        log.warn(
          { app },
          'app was created by a command; the configuration file does not change it',
        );
      }
      return;
    case 'missing':
    case 'unused':
      if (!planned.row.isEnabled) return;
      if (missing === 'keep') {
        log.warn({ app }, 'app is not in the configuration file; served with its stored settings');
      } else log.warn({ app }, 'app was removed from the configuration file; disabled');
      return;
    case 'create':
    case 'left':
      return;
  }
}

function logBudget(log: Log, { name: budget, kind }: AppliedBudget) {
  if (kind === 'create') log.info({ budget }, 'budget created from the configuration file');
  if (kind === 'change') log.info({ budget }, 'budget updated from the configuration file');
  if (kind === 'command') {
    log.warn(
      { budget },
      'budget was created by a command; the configuration file does not change it',
    );
  }
  if (kind !== 'left') return;
  log.warn(
    { budget },
    `budget was removed from the configuration file but stays in effect; to remove it: "model-gateway budgets remove ${budget} --yes"`,
  );
}

function logCreatedApp(log: Log, { name: app, ...named }: AppConfig) {
  const settings = Object.fromEntries(settingTexts(settingsOf(named)));
  log.info({ app, settings }, 'app created from the configuration file');
}

function logDrift(log: Log, app: string, drift: readonly SettingDifference[]) {
  if (drift.length === 0) return;
  const settings = drift.map(({ setting, store, file }) => ({ setting, inForce: store, file }));
  log.info({ app, settings }, 'app was later changed by a command; those values stay in effect');
}

function shownChanges(changed: readonly SettingDifference[]) {
  return changed.map(({ setting, store, file }) => ({ setting, from: store, to: file }));
}
