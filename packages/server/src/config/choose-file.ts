import { resolve } from 'node:path';
import type { Environment } from './variables.ts';

export type { Environment };

export const textVariable = 'MODEL_GATEWAY_CONFIG_TEXT';

export type ConfigLocation =
  | { readonly file: string; readonly text?: string }
  | { readonly problem: string };

/**
 * Order: `--config`, MODEL_GATEWAY_CONFIG, MODEL_GATEWAY_CONFIG_TEXT, ./gateway.yaml. A file and a
 * text together are a problem.
 */
export function chooseConfig(parts: {
  readonly option: string | undefined;
  readonly environment: Environment;
}): ConfigLocation {
  const { option, environment } = parts;
  // Shells use empty variables for "not set".
  const named = environment.MODEL_GATEWAY_CONFIG || undefined;
  const text = environment[textVariable] || undefined;
  if (text === undefined) return { file: resolve(option ?? named ?? 'gateway.yaml') };
  if (option === undefined && named === undefined) return { file: textVariable, text };
  const other = option === undefined ? `MODEL_GATEWAY_CONFIG (${named})` : `--config ${option}`;
  return { problem: `${textVariable} and ${other} are both set; keep one of them` };
}
