import { routes, streamingPaths } from '@model-gateway/contract';
import { CallError } from '../../../calls/call-error.ts';

/** The error of a path or a method that no route has; it names streams to apps that have them. */
export function noRoute(method: string, path: string, isStreaming: boolean): CallError {
  const wanted = `${clip(method)} ${clip(path)}`;
  const list = isStreaming ? `${routeList}, ${streamList}` : routeList;
  return new CallError('NOT_FOUND', `There is no ${wanted}; the routes are ${list}.`);
}

/** Every route under `/v1` but the streams, for people. */
const routeList = Object.values(routes)
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`)
  .join(', ');

const streamList = streamingPaths.map((path) => `POST ${path}`).join(', ');

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
