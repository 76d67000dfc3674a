import process from 'node:process';
import type { Limits } from '../domain/limits.ts';
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

/** Undefined for a user without rights, and on systems without root. */
export function rootWarning(userId: number | undefined = process.geteuid?.()): string | undefined {
  if (userId !== 0) return undefined;
  return (
    'the service runs as root and needs no root rights: start it as a user of its own, which may ' +
    'write the folder of a SQLite store and nothing else (docs/operations.md, "As a service")'
  );
}

/** Undefined where a stop waits for the longest stream, or nothing streams. */
export function stopWarning(
  { stopMs, streams: { totalMs } }: Limits,
  hasStreams: boolean,
): string | undefined {
  if (!hasStreams || stopMs >= totalMs) return undefined;
  return `a stream may last streams.totalMs (${totalMs} ms), and a stop ends what still runs after limits.stopMs (${stopMs} ms): a longer one is cut and booked as estimated; to cut none, make stopMs no less than totalMs, and let what stops the process wait stopDelayMs + stopMs + 4 s`;
}
