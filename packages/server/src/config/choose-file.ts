import { resolve } from 'node:path';
import type { Environment } from './variables.ts';

export type { Environment };

/** The variable whose value is the configuration itself, where there is no file. */
export const textVariable = 'MODEL_GATEWAY_CONFIG_TEXT';

/** Where a configuration is: in a file, or in a variable that is named as a file would be. */
export type ConfigPlace =
  | { readonly file: string; readonly text?: string }
  | { readonly problem: string };

/**
 * The configuration to read: `--config`, else MODEL_GATEWAY_CONFIG, else what
 * MODEL_GATEWAY_CONFIG_TEXT says, else ./gateway.yaml. A file and a text at once are a problem.
 */
export function chooseConfig(parts: {
  /** The value of `--config`; undefined when it was not given. */
  readonly option: string | undefined;
  readonly environment: Environment;
}): ConfigPlace {
  const { option, environment } = parts;
  // An empty variable is what a shell leaves behind for "not set", here as everywhere.
  const named = environment.MODEL_GATEWAY_CONFIG || undefined;
  const text = environment[textVariable] || undefined;
  if (text === undefined) return { file: resolve(option ?? named ?? 'gateway.yaml') };
  if (option === undefined && named === undefined) return { file: textVariable, text };
  const other = option === undefined ? `MODEL_GATEWAY_CONFIG (${named})` : `--config ${option}`;
  return { problem: `${textVariable} and ${other} are both given: keep one of them` };
}
