import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { loadConfig } from '../../config/load-config.ts';
import type { Config } from '../../domain/config.ts';
import { AdminError } from '../../operations/context/admin-error.ts';
import { type CommandContext, type CommonOptions, UsageError } from '../process/context.ts';
import type { Vendor } from './first-platforms.ts';

export interface InitOptions extends CommonOptions, Partial<Readonly<Record<Vendor, boolean>>> {
  readonly company?: string;
  readonly app?: string;
  readonly email?: string;
  readonly project?: string;
  readonly yes?: boolean;
}

export interface InitTarget {
  readonly file: string;
  readonly schema: string;
}

/** Throws a UsageError with a line for each problem. */
export function loadText(context: CommandContext, file: string, yaml: string): Config {
  const readFile = (path: string) => (path === file ? yaml : readFileSync(path, 'utf8'));
  const loaded = loadConfig({ file, environment: context.environment, readFile });
  if ('problems' in loaded) throw new UsageError(loaded.problems.join('\n'));
  return loaded.config;
}

export function writeNew(file: string, yaml: string): void {
  try {
    writeFileSync(file, yaml, { flag: 'wx' });
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
      ? alreadyExists(file)
      : error;
  }
}

export function alreadyExists(file: string): AdminError {
  return new AdminError(
    `${file} already exists and was not changed; use --config FILE to write elsewhere`,
  );
}

export function configOption(file: string): { readonly location: string; readonly option: string } {
  const location = relative('.', file);
  return { location, option: location === 'gateway.yaml' ? '' : ` --config ${location}` };
}
