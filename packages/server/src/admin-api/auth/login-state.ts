import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleRequest } from '../http.ts';
import { isSecure } from '../origin.ts';
import { cookiesOf } from './cookies.ts';

/** A login that has begun: what its callback is held to. */
export interface LoginState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page to show afterwards. */
  readonly back: string;
}

const path = '/admin/v1/login/oidc';
const secondsMax = 600;
const names = ['state', 'nonce', 'verifier', 'back'] as const;

/**
 * `set-cookie` of a login that begins, for ten minutes. It is sent with the provider's redirection,
 * which comes from another site: so it is `Lax`, and the session's is not. What is in it binds the
 * callback to this browser, and gives no right.
 */
export function loginCookie(parts: Pick<ConsoleParts, 'config'>, login: LoginState): string {
  const text = Buffer.from(JSON.stringify(names.map((name) => login[name]))).toString('base64url');
  return cookieText(parts, text, secondsMax);
}

/** `set-cookie` that forgets it: a callback is answered once. */
export function noLoginCookie(parts: Pick<ConsoleParts, 'config'>): string {
  return cookieText(parts, '', 0);
}

/** The login of this state that this browser has begun, else the first; undefined for none. */
export function loginIn(
  parts: Pick<ConsoleParts, 'config'>,
  request: Pick<ConsoleRequest, 'headers'>,
  state: string | undefined,
): LoginState | undefined {
  // Another port of the machine can add a cookie of the name.
  const logins = cookiesOf(request, cookieName(parts)).flatMap((text) => loginOf(text) ?? []);
  return logins.find((login) => login.state === state) ?? logins[0];
}

function loginOf(text: string): LoginState | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(read) || read.length !== names.length) return undefined;
    const [state, nonce, verifier, back] = read.map(String);
    if (!state || !nonce || !verifier || !back) return undefined;
    return { state, nonce, verifier, back: ownPage(back) };
  } catch {
    /* no text of ours */
    return undefined;
  }
}

/** A page of the console; its start for whatever is none. */
export function ownPage(back: string | undefined): string {
  const isOwn = back !== undefined && /^\/console(\/[\w./?=&%:@+,~-]*)?$/.test(back);
  const leadsOn = isOwn && !/\/\/|\.\.|^\/console\/login/.test(back);
  return leadsOn ? back : '/console/';
}

function cookieName(parts: Pick<ConsoleParts, 'config'>): string {
  return isSecure(parts.config) ? '__Host-mg-login' : `mg-login_${parts.config.admin.port}`;
}

/** A name with `__Host-` is for all paths, or none; the other is sent to logins alone. */
function cookieText(parts: Pick<ConsoleParts, 'config'>, value: string, seconds: number): string {
  const where = isSecure(parts.config) ? 'Path=/; Secure' : `Path=${path}`;
  return `${cookieName(parts)}=${value}; ${where}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}
