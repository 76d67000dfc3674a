import { type MissingAppsPolicy, missingAppsPolicies } from '../admin/file-plan.ts';
import { type CommandContext, UsageError } from './context.ts';

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
