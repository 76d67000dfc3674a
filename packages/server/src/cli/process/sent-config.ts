import type { Config } from '../../domain/config.ts';
import { createKeyRing, type RingKey } from '../../lib/key-ring.ts';

/** A key ring cannot be sent between threads, so its keys are. */
export interface SentConfig {
  readonly config: Omit<Config, 'keyRing'>;
  readonly keys: readonly RingKey[];
}

export function sentConfig({ keyRing, ...config }: Config): SentConfig {
  return { config, keys: keyRing?.keys() ?? [] };
}

export function receivedConfig({ config, keys: [newest, ...older] }: SentConfig): Config {
  return newest === undefined ? config : { ...config, keyRing: createKeyRing([newest, ...older]) };
}
