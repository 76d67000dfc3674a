import { isLoopback } from '../domain/loopback.ts';
import type { PlatformConfig } from '../domain/platform.ts';

/** Its calls can be read on the network. */
export interface ClearPlatform {
  readonly platform: string;
  /** Only the origin. */
  readonly url: string;
}

/** Plain HTTP to another machine, unless the configuration allows it. */
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

export const clearTextWarning =
  'the URL is http: anyone on the network path can read the key and every prompt; use https, or set allowInsecure: true';
