import { settingsOf } from '../admin/app-settings.ts';
import type { AdminContext } from '../admin/context.ts';
import { applyFile } from '../admin/declared-apps.ts';
import {
  type MissingAppsPolicy,
  missingAppsPolicies,
  type PlannedApp,
} from '../admin/file-plan.ts';
import { type SettingDifference, settingTexts } from '../admin/setting-texts.ts';
import { ownerDeadMs } from '../books/owner.ts';
import type { AppConfig } from '../domain/app.ts';
import type { Config } from '../domain/config.ts';
import { selectOwners, shortHash } from '../ledger/owners.ts';
import type { Log } from '../lib/log.ts';
import { type CommandContext, UsageError } from './context.ts';
import { fileActor } from './file-actor.ts';

/** How `serve` is told what to do with apps that its file lacks. */
export interface MissingOptions {
  readonly disableMissing?: boolean;
  readonly keepMissing?: boolean;
}

/** What the options say, else MODEL_GATEWAY_MISSING_APPS, else `refuse`. Throws a UsageError. */
export function missingPolicy(
  { environment }: Pick<CommandContext, 'environment'>,
  { disableMissing, keepMissing }: MissingOptions,
): MissingAppsPolicy {
  if (disableMissing === true && keepMissing === true) {
    throw new UsageError('--disable-missing contradicts --keep-missing; drop one');
  }
  if (disableMissing === true) return 'disable';
  if (keepMissing === true) return 'keep';
  const named = environment.MODEL_GATEWAY_MISSING_APPS;
  if (named === undefined || named === '') return 'refuse';
  const policy = missingAppsPolicies.find((known) => known === named);
  if (policy !== undefined) return policy;
  throw new UsageError(
    `MODEL_GATEWAY_MISSING_APPS: ${JSON.stringify(named)} is none of ${missingAppsPolicies.join(', ')}`,
  );
}

/**
 * Puts the file's apps in force, and logs each app that this creates, changes, disables or leaves
 * as it is although the file says otherwise. What it has created is logged by the function that it
 * answers: a first start that then fails says why in one line. Throws as {@link applyFile} does.
 */
export async function startApps(
  admin: AdminContext,
  config: Pick<Config, 'apps' | 'file' | 'hash'>,
  log: Log,
  missing: MissingAppsPolicy,
): Promise<() => void> {
  const others = await otherConfigurations(admin, config);
  const actor = fileActor(config);
  const { apps } = await applyFile({ ...admin, actor }, config.apps, {
    missing,
    file: config.file,
  });
  for (const planned of apps) tell(log, planned, missing);
  const tellCreated = () => {
    for (const planned of apps) if (planned.kind === 'create') tellOfNew(log, planned.app);
  };
  if (others.length === 0) return tellCreated;
  const changed = apps.filter((planned) => isChange(planned, missing)).map(({ name }) => name);
  const line =
    'replicas of this store have another configuration: what this start has changed is theirs, too';
  log.warn({ config: shortHash(config.hash), others, apps: changed }, line);
  return tellCreated;
}

/** Short hashes of other configurations that replicas run with; an embedded store has one. */
async function otherConfigurations({ store, clock }: AdminContext, { hash }: Pick<Config, 'hash'>) {
  if (store.kind === 'sqlite') return [];
  const owners = await store.read(selectOwners(clock.now() - ownerDeadMs));
  const hashes = owners.map(({ configHash }) => configHash).filter((other) => other !== hash);
  return [...new Set(hashes.map(shortHash))];
}

function isChange(planned: PlannedApp, missing: MissingAppsPolicy): boolean {
  if (planned.kind === 'create') return true;
  if (planned.kind === 'change') return planned.differences.length > 0;
  if (planned.kind === 'missing') return missing !== 'keep';
  return planned.kind === 'unused' && planned.row.isEnabled && missing !== 'keep';
}

function tell(log: Log, planned: PlannedApp, missing: MissingAppsPolicy) {
  const app = planned.name;
  switch (planned.kind) {
    case 'change':
      if (planned.differences.length > 0) {
        const changes = shownChanges(planned.differences);
        log.info({ app, changes }, 'the file has changed this app');
      }
      return tellDrift(log, app, planned.drift);
    case 'same':
      return tellDrift(log, app, planned.drift);
    case 'command':
      if (planned.isDeclared) {
        log.warn({ app }, 'the command line made this app: the file does not change it');
      }
      return;
    case 'missing':
    case 'unused':
      if (!planned.row.isEnabled) return;
      if (missing === 'keep') {
        log.warn({ app }, 'the file does not have this app: it is served as the store has it');
      } else log.warn({ app }, 'the file does not have this app any more: it was disabled');
      return;
    case 'create':
    case 'left':
      return;
  }
}

function tellOfNew(log: Log, { name: app, ...named }: AppConfig) {
  const settings = Object.fromEntries(settingTexts(settingsOf(named)));
  log.info({ app, settings }, 'the file has a new app: it was created');
}

function tellDrift(log: Log, app: string, drift: readonly SettingDifference[]) {
  if (drift.length === 0) return;
  const settings = drift.map(({ setting, store, file }) => ({ setting, inForce: store, file }));
  log.info({ app, settings }, 'a command has changed this app since: its values stay in force');
}

function shownChanges(changed: readonly SettingDifference[]) {
  return changed.map(({ setting, store, file }) => ({ setting, from: store, to: file }));
}
