import { resolve } from 'node:path';

/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration file to read: `--config`, else MODEL_GATEWAY_CONFIG, else ./gateway.yaml. */
export function chooseConfigFile(parts: {
  /** The value of `--config`; undefined when it was not given. */
  readonly option: string | undefined;
  readonly environment: Environment;
}): string {
  // An empty variable is what a shell leaves behind for "not set", here as everywhere.
  return resolve(parts.option ?? (parts.environment.MODEL_GATEWAY_CONFIG || 'gateway.yaml'));
}
