import type { Config } from '../../domain/config.ts';
import { shortHash } from '../../store/queries/instances.ts';

/** Contains no secrets. */
export interface ConfigDocument {
  readonly file: string;
  /** As the log and the audit log name it. */
  readonly config: string;
  readonly company: string;
  readonly store: 'sqlite' | 'postgres';
  readonly platforms: readonly string[];
  /** Without rows that ship. */
  readonly models: number;
  readonly apps: readonly string[];
}

export function configDocument(config: Config): ConfigDocument {
  const { file, hash, company, store, platforms, models, apps } = config;
  return {
    file,
    config: shortHash(hash),
    company,
    store: store.kind,
    platforms: platforms.map(({ name }) => name),
    models: models.length,
    apps: apps.map(({ name }) => name),
  };
}
