import type { ConsoleRequest } from '../http/http.ts';

/** Ignores other schemes: those are a proxy's, which the browser sends along with its session. */
export function bearerOf({ headers }: Pick<ConsoleRequest, 'headers'>): string | undefined {
  return /^Bearer\b ?(.*)$/i.exec(headers.authorization ?? '')?.[1];
}
