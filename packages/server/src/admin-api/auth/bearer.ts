import type { ConsoleRequest } from '../http.ts';

/**
 * The token that a request carries; undefined without one. Credentials of another scheme are those
 * of a proxy in front, which the browser sends along with its session.
 */
export function bearerOf({ headers }: Pick<ConsoleRequest, 'headers'>): string | undefined {
  return /^Bearer\b ?(.*)$/i.exec(headers.authorization ?? '')?.[1];
}
