import type { Config } from '../../domain/config.ts';
import type { ConsoleRequest } from '../http/http.ts';
import { isSecure } from '../http/origin.ts';
import { cookiesOf } from './cookies.ts';

export interface LoginState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page to show after the login. */
  readonly back: string;
}

const path = '/admin/v1/login/oidc';
const secondsMax = 600;
const names = ['state', 'nonce', 'verifier', 'back'] as const;

/**
 * Valid for 10 minutes. `Lax`, because the provider's redirect comes from another site. It binds
 * the callback to this browser, and grants no right.
 */
export function loginCookie(parts: { readonly config: Config }, login: LoginState): string {
  const text = Buffer.from(JSON.stringify(names.map((name) => login[name]))).toString('base64url');
  return cookieText(parts, text, secondsMax);
}

/** Sent with the callback's response: a callback is answered only once. */
export function noLoginCookie(parts: { readonly config: Config }): string {
  return cookieText(parts, '', 0);
}

/** The login with this state in this browser, else the first one. */
export function loginIn(
  parts: { readonly config: Config },
  request: Pick<ConsoleRequest, 'headers'>,
  state: string | undefined,
): LoginState | undefined {
  // Another port of the machine can add a cookie with this name.
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
    /* not written by the gateway */
    return undefined;
  }
}

/** Returns the start page for any path outside the console. */
export function ownPage(back: string | undefined): string {
  const isOwn = back !== undefined && /^\/console(\/[\w./?=&%:@+,~-]*)?$/.test(back);
  const leadsOn = isOwn && !/\/\/|\.\.|^\/console\/login/.test(back);
  return leadsOn ? back : '/console/';
}

function cookieName(parts: { readonly config: Config }): string {
  return isSecure(parts.config) ? '__Host-mg-login' : `mg-login_${parts.config.admin.port}`;
}

/** A `__Host-` cookie requires the path `/`. The other cookie is sent only to logins. */
function cookieText(parts: { readonly config: Config }, value: string, seconds: number): string {
  const where = isSecure(parts.config) ? 'Path=/; Secure' : `Path=${path}`;
  return `${cookieName(parts)}=${value}; ${where}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}
