import process from 'node:process';
import type { Limits } from '../domain/limits.ts';
import { isLoopback } from '../domain/loopback.ts';
import type { PlatformConfig } from '../domain/platform.ts';

/** The network can read this platform's calls. */
export interface ClearPlatform {
  readonly platform: string;
  /** Contains only the origin. */
  readonly url: string;
}

/** Finds plain HTTP to another machine, unless the configuration allows it. */
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

/** Undefined for a user without root rights, and on systems without root. */
export function rootWarning(userId: number | undefined = process.geteuid?.()): string | undefined {
  if (userId !== 0) return undefined;
  return (
    'service runs as root but needs no root rights; use a dedicated user that can write only ' +
    'the folder of a SQLite store (docs/operations.md, "As a service")'
  );
}

/** Undefined if shutdown waits for the longest stream, or nothing streams. */
export function stopWarning(
  { stopMs, streams: { totalMs } }: Limits,
  hasStreams: boolean,
): string | undefined {
  if (!hasStreams || stopMs >= totalMs) return undefined;
  return `streams.totalMs (${totalMs} ms) is longer than limits.stopMs (${stopMs} ms); a shutdown cancels longer streams and books them as estimated. To avoid this, set stopMs to at least totalMs, and let the supervisor wait stopDelayMs + stopMs + 4 s before it kills the process`;
}
