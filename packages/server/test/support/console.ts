import type { Console } from '../../src/admin-api/console.ts';
import type { ConsoleResponse } from '../../src/admin-api/http/http.ts';
import type { Role } from '../../src/domain/role.ts';
import { makeLoginCode } from '../../src/operations/access/console-sessions.ts';
import type { Stack } from './stack.ts';

/** A request without its path; `body` is written as JSON unless it is bytes or text. */
export interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  /** Replaces the headers of a page; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A response with its text, and its parsed JSON if any. */
export interface Answered {
  readonly status: number;
  readonly headers: ConsoleResponse['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test determines the fields that it reads.
  readonly body: any;
}

/** A browser that calls the console of a stack. */
export interface Browser {
  ask(path: string, options?: RequestOptions): Promise<Answered>;
  /** Its `cookie` header. */
  readonly cookie: string | undefined;
  /** The cookie, and the second secret that its page stores. */
  readonly login: Login;
}

/** The headers with which a page authenticates. */
export interface Login {
  readonly cookie?: string | undefined;
  readonly 'x-console-secret'?: string | undefined;
}

/** Calls the console of a stack, like one of its pages. */
export function askConsole(stack: Stack, login: Login = {}): Browser['ask'] {
  return async (path, options = {}) => {
    const headers = { ...login, ...options.headers };
    return answered(await responseOf(stack, path, { ...options, headers }));
  };
}

/** Only the status: the rest, such as events, may have no end. */
export async function statusOf(
  stack: Stack,
  path: string,
  options: RequestOptions,
): Promise<number> {
  return (await responseOf(stack, path, options)).status;
}

function responseOf(stack: Stack, path: string, { method = 'GET', body, headers }: RequestOptions) {
  const known = {
    ...{ host: '127.0.0.1:8788', 'sec-fetch-site': 'same-origin' },
    ...(method === 'GET' ? {} : pageHeaders),
    ...headers,
  };
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return stack.clock.run(
    consoleOf(stack).handle({
      ...{ method, url: path, headers: known, address: '127.0.0.1' },
      ...{
        body: async () => bytes,
        chunks: () => bodyParts(bytes),
        disconnected: new AbortController().signal,
      },
    }),
  );
}

async function* bodyParts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export async function* noParts(): AsyncGenerator<Uint8Array> {}

const pageHeaders = { 'content-type': 'application/json', 'x-requested-with': 'console' };

/** A browser that has logged in by a link. */
export async function openConsole(
  stack: Stack,
  access: { readonly role: Role; readonly apps?: readonly string[]; readonly name?: string },
): Promise<Browser> {
  const { role, apps = role === 'team' ? ['search'] : undefined, name = `${role}@acme` } = access;
  const code = await stack.clock.run(makeLoginCode(stack.admin, { name, role, apps }));
  const path = '/admin/v1/session';
  const { status, headers, text, body } = await askConsole(stack)(path, {
    ...{ method: 'POST', body: { code } },
  });
  if (status !== 200) throw new Error(`cannot log in: ${text}`);
  const login = loginIn({ headers, body });
  return { ask: askConsole(stack, login), cookie: login.cookie, login };
}

/** A page's headers after this response to its login. */
export function loginIn({ headers, body }: Pick<Answered, 'headers' | 'body'>): Login {
  return { cookie: cookieIn(headers), 'x-console-secret': body.pageSecret ?? undefined };
}

/** The cookie that a response sets, as it is sent back. */
export function cookieIn(headers: Answered['headers']): string {
  return [headers['set-cookie']].flat().join().split(';')[0] ?? '';
}

function consoleOf({ service }: Stack): Console {
  if (service.console === undefined) throw new Error('the configuration has no console');
  return service.console;
}

async function answered({ status, headers, body }: ConsoleResponse): Promise<Answered> {
  let text = '';
  if (typeof body === 'string' || body instanceof Uint8Array) text = String(body);
  else for await (const part of body) text += String(part);
  const isJson = String(headers['content-type']).startsWith('application/json');
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}
