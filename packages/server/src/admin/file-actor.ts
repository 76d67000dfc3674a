import { hostname } from 'node:os';
import type { Config } from '../domain/config.ts';
import { shortHash } from '../store/queries/instances.ts';

/** Who changes apps where a file is put in force, for the audit log: which file, and where. */
export function fileActor({ hash }: Pick<Config, 'hash'>): string {
  return `config:${shortHash(hash)}@${hostname()}`;
}
