import type { Config } from '../domain/config.ts';

/** The configuration in force: a reload puts another one in the place of that of the start. */
export interface LiveConfig {
  current(): Config;
  replace(next: Config): void;
}

/** What a service is started with is in force until it is replaced. */
export function createLiveConfig(first: Config): LiveConfig {
  let current = first;
  return {
    current: () => current,
    replace(next) {
      current = next;
    },
  };
}
