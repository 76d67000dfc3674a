import type { Config } from '../../domain/config.ts';
import { createKeyRing, type RingKey } from '../../lib/key-ring.ts';

/** A configuration on its way to another thread, with its ring of keys as what that is made of. */
export interface SentConfig {
  readonly config: Omit<Config, 'keyRing'>;
  readonly keys: readonly RingKey[];
}

/** Makes a configuration ready to be sent. */
export function sentConfig({ keyRing, ...config }: Config): SentConfig {
  return { config, keys: keyRing?.keys() ?? [] };
}

/** The configuration that another thread has sent. */
export function receivedConfig({ config, keys: [newest, ...older] }: SentConfig): Config {
  return newest === undefined ? config : { ...config, keyRing: createKeyRing([newest, ...older]) };
}
