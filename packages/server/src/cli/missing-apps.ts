import type { MissingAppsPolicy } from '../operations/config/file-plan.ts';
import { type CommandContext, UsageError } from './context.ts';
import { readEnvironment } from './environment.ts';

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
  return readEnvironment(environment).MODEL_GATEWAY_MISSING_APPS ?? 'refuse';
}
