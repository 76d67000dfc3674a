import type { Config } from '../../domain/config.ts';
import type { ConsoleRequest } from '../http/http.ts';
import { isSecure } from '../http/origin.ts';

export const pageSecretHeader = 'x-console-secret';

/** Browsers share the cookies of loopback between all ports, so the name differs by port. */
export function cookieNameOf({ config }: { readonly config: Config }): string {
  return isSecure(config) ? '__Host-mg' : `mg_${config.admin.port}`;
}

export function sessionCookie(parts: { readonly config: Config }, value: string): string {
  const end = value === '' ? '; Max-Age=0' : '';
  const secure = isSecure(parts.config) ? '; Secure' : '';
  return `${cookieNameOf(parts)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${end}`;
}

/** Another port of the machine, or another path, can add a cookie. */
export function cookiesOf(
  { headers }: Pick<ConsoleRequest, 'headers'>,
  name: string,
): readonly string[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at !== -1 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/** Undefined without a cookie, or with several. */
export function cookieOf(
  request: Pick<ConsoleRequest, 'headers'>,
  name: string,
): string | undefined {
  const values = cookiesOf(request, name);
  return values.length === 1 ? values[0] : undefined;
}
