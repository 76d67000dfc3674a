import type { Config } from '../domain/config.ts';

export interface LiveConfig {
  readonly config: Config;
  replace(next: Config): void;
}

export function createLiveConfig(first: Config): LiveConfig {
  const live = {
    config: first,
    replace(next: Config) {
      live.config = next;
    },
  };
  return live;
}
