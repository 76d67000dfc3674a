import type { Config } from '../../domain/config.ts';
import { shortHash } from '../../store/queries/instances.ts';

/** A configuration that was read, as operators read it: no secret of it. */
export interface ConfigDocument {
  readonly file: string;
  /** As the log and the audit log name it. */
  readonly config: string;
  readonly company: string;
  readonly store: 'sqlite' | 'postgres';
  readonly platforms: readonly string[];
  /** Rows beside those that ship. */
  readonly models: number;
  readonly apps: readonly string[];
}

/** What `config check` prints. */
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
