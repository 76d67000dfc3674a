import { routes, streamingPaths } from '@model-gateway/contract';
import { CallError } from '../../../calls/call-error.ts';

/**
 * The error of a path or a method that no route has; it names streams to apps that have them, and
 * `more` paths that take a POST.
 */
export function noRoute(
  method: string,
  path: string,
  isStreaming: boolean,
  more: readonly string[] = [],
): CallError {
  const wanted = `${clip(method)} ${clip(path)}`;
  const posts = [...more, ...(isStreaming ? streamingPaths : [])].map((each) => `POST ${each}`);
  const list = [routeList, ...posts].join(', ');
  return new CallError('NOT_FOUND', `There is no ${wanted}; the routes are ${list}.`);
}

/** Every route under `/v1` but the streams, for people. */
const routeList = Object.values(routes)
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`)
  .join(', ');

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
