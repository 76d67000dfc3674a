import { routes } from '@model-gateway/contract';
import { CallError } from '../../../calls/call-error.ts';

/** The error of a path or a method that no route has. */
export function noRoute(method: string, path: string): CallError {
  const wanted = `${clip(method)} ${clip(path)}`;
  return new CallError('NOT_FOUND', `There is no ${wanted}; the routes are ${routeList}.`);
}

/** Every route under `/v1`, for people. */
const routeList = Object.values(routes)
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`)
  .join(', ');

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
