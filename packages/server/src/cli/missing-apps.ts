import type { MissingAppsPolicy } from '../operations/apps/file-plan.ts';
import { type CommandContext, UsageError } from './process/context.ts';
import { readEnvironment } from './process/environment.ts';

export interface MissingOptions {
  readonly disableMissing?: boolean;
  readonly keepMissing?: boolean;
}

/** Options, then MODEL_GATEWAY_MISSING_APPS, then `refuse`. Throws a UsageError. */
export function missingPolicy(
  { environment }: Pick<CommandContext, 'environment'>,
  { disableMissing, keepMissing }: MissingOptions,
): MissingAppsPolicy {
  if (disableMissing === true && keepMissing === true) {
    throw new UsageError('use either --disable-missing or --keep-missing, not both');
  }
  if (disableMissing === true) return 'disable';
  if (keepMissing === true) return 'keep';
  return readEnvironment(environment).MODEL_GATEWAY_MISSING_APPS ?? 'refuse';
}
