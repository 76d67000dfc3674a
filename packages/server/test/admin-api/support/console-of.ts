import { createConsole } from '../../../src/admin-api/console.ts';
import { jsonResponse } from '../../../src/admin-api/http/http.ts';
import type { ConsoleParts } from '../../../src/admin-api/routes/console-parts.ts';
import { loadRoutes } from '../../../src/admin-api/routes.ts';
import type { Role } from '../../../src/domain/role.ts';
import { rightsOf, type Session } from '../../../src/operations/context/session.ts';
import { noParts } from '../../support/console.ts';
import { consolePartsOf } from '../../support/console-parts.ts';
import type { Stack } from '../../support/stack.ts';

const routes = await loadRoutes();

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every form
  readonly body: any;
  readonly etag: string | undefined;
}

/** Sends a request: a method and a path below `/admin/v1`, a body, and a state. */
export type SendRequest = (target: string, body?: object, ifMatch?: string) => Promise<Reply>;

export interface LoginOptions {
  readonly name?: string;
  readonly apps?: readonly string[];
  readonly teamWallets?: boolean;
}

/** The console of a stack, for the logins of a test. */
export function consoleOf(
  stack: Stack,
  more: Partial<ConsoleParts> = {},
): (role: Role, asker?: LoginOptions) => SendRequest {
  const { admin } = stack;
  const parts = { ...consolePartsOf(stack), log: recorder(stack), ...more };
  return (role, { name = 'ada', apps, teamWallets = false } = {}) => {
    const session: Session = {
      ...{ name, role, apps, via: 'session', id: 'ses_1' },
      ...{ expiresAt: undefined, permissions: rightsOf(role, { teamWallets }) },
    };
    const shown = createConsole({
      ...{ admin, routes, parts, identify: async () => session },
      assets: () => jsonResponse(404, {}),
    });
    return async (target, body, ifMatch) => {
      const [method = '', path = ''] = target.split(' ', 2);
      const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
      const response = await stack.clock.run(
        shown.handle({
          ...{ method, url: `/admin/v1${path}`, address: '127.0.0.1' },
          headers: {
            ...{ host: '127.0.0.1:8788', 'content-type': 'application/json' },
            ...{ 'x-requested-with': 'console', 'sec-fetch-site': 'same-origin' },
            ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
          },
          body: async () => bytes,
          chunks: noParts,
          disconnected: new AbortController().signal,
        }),
      );
      const { etag } = response.headers;
      return {
        status: response.status,
        body: JSON.parse(String(response.body)),
        etag: typeof etag === 'string' ? etag : undefined,
      };
    };
  };
}

/** Console lines are recorded with the lines of the service. */
function recorder({ logLines }: Stack): ConsoleParts['log'] {
  const lines: unknown[] = Array.isArray(logLines) ? logLines : [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  const [info, warn, error, debug] = ['info', 'warn', 'error', 'debug'].map(at);
  const none = () => {};
  return {
    ...{ info: info ?? none, warn: warn ?? none, error: error ?? none, debug: debug ?? none },
    request: none,
  };
}
