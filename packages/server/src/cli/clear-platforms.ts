import { isLoopback } from '../domain/loopback.ts';
import type { PlatformConfig } from '../domain/platform.ts';

/** A platform whose calls others can read on their way. */
export interface ClearPlatform {
  readonly platform: string;
  /** Without what a URL can hide. */
  readonly url: string;
}

/** Platforms that are called over plain HTTP on another machine, and not said to be meant so. */
export function clearPlatforms(configs: readonly PlatformConfig[]): readonly ClearPlatform[] {
  return configs.flatMap(({ name, baseUrl, options, allowInsecure }) => {
    if (allowInsecure === true) return [];
    return [baseUrl, options?.baseURL].flatMap((text) => {
      if (typeof text !== 'string' || !URL.canParse(text)) return [];
      const { protocol, hostname, origin } = new URL(text);
      if (protocol !== 'http:' || isLoopback(hostname)) return [];
      return [{ platform: name, url: origin }];
    });
  });
}

/** What the log says of each. */
export const clearTextWarning =
  'the URL is http: anyone on the network path can read the key and every prompt; use https, or set allowInsecure: true';
