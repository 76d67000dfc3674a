import type { AttemptOptions, PlatformContext } from './port.ts';

/** Headers of every call to a JSON surface. */
export const jsonHeaders = {
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  // Some front ends refuse a request without one.
  'user-agent': 'model-gateway',
};

/** The headers of one call: those of all calls, its trace and its billing project. */
export function headersOf(
  {
    context,
    headers,
    projectHeaders,
  }: {
    readonly context: Pick<PlatformContext, 'propagateTrace'>;
    readonly headers: Readonly<Record<string, string>>;
    readonly projectHeaders: readonly string[];
  },
  { projectId, stream, trace }: AttemptOptions,
): Readonly<Record<string, string>> {
  const traced = context.propagateTrace === true ? trace?.headers() : undefined;
  if (stream === undefined && projectId === undefined && traced === undefined) return headers;
  const all: Record<string, string> = { ...headers, ...traced };
  if (stream !== undefined) all.accept = 'text/event-stream, application/json';
  if (projectId !== undefined) for (const name of projectHeaders) all[name] = projectId;
  return all;
}
