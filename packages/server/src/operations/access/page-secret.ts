import type { Ids } from '../../lib/id.ts';
import { isSecretOf, readSecret } from '../../registry/key-format.ts';
import { hashKey } from '../../registry/key-ring.ts';

// Browsers send a cookie of loopback to every port of the machine. Where that is so, a session has
// a second secret: the page keeps it, and browsers give it to no other port. The cookie contains
// its hash, and the store has the hash of the whole cookie: neither can be replaced.

const secretCharacters = 43;

export interface Presented {
  /** Every cookie of the session's name: another port can add one. */
  readonly cookies: readonly string[];
  readonly pageSecret: string | undefined;
}

export function bindCookie(
  secret: string,
  ids: Ids,
): { readonly cookie: string; readonly pageSecret: string } {
  const pageSecret = `${readSecret(secret)}_${ids.secret(secretCharacters)}`;
  return { cookie: `${secret}.${hashKey(pageSecret)}`, pageSecret };
}

export function sessionIdIn(cookie: string): string | undefined {
  const [secret = ''] = cookie.split('.', 1);
  return isSecretOf('mgs', secret) ? readSecret(secret) : undefined;
}

/**
 * The cookies bound to the second secret if all have one id, or the only cookie if it needs none.
 */
export function usableCookies({ cookies, pageSecret }: Presented): readonly string[] {
  const bound = pageSecret === undefined ? [] : boundTo(cookies, pageSecret);
  if (bound.length > 0) return bound;
  return cookies.length === 1 ? cookies.filter((cookie) => !cookie.includes('.')) : [];
}

function boundTo(cookies: readonly string[], pageSecret: string): readonly string[] {
  const end = `.${hashKey(pageSecret)}`;
  const [id] = pageSecret.split('_', 1);
  return cookies.filter((cookie) => cookie.endsWith(end) && sessionIdIn(cookie) === id);
}
