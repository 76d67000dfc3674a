import { roles } from '../../domain/role.ts';
import { renamed } from '../description/deprecated.ts';
import { appNames, id, initially, line, oneOf, optional } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { endSession, listSessions, makeLoginCode } from './console-sessions.ts';

const login = operation({
  name: 'console login',
  about: 'create a one-time login link, valid for 5 minutes',
  right: 'access',
  kind: 'change',
  opens: 'store',
  needs: ['login'],
  input: {
    name: optional(
      renamed('as', line(128, 'name to log in as (default: the current user)', 'name')),
    ),
    role: initially('operator', oneOf(roles, 'role', 'role')),
    apps: optional(appNames('visible apps, for example a,b (required for the role team)')),
  },
  example: { name: 'ada', role: 'finance' },
  result: async () => (await import('../documents/access.ts')).LoginLink,
  async run({ admin, login: { url: ownUrl, listen } }, { role, apps, ...input }) {
    const { name = admin.actor.slice('cli:'.length) } = input;
    const code = await makeLoginCode(admin, { name, role, apps });
    const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
    const url = ownUrl ?? `http://${host}:${listen.port}`;
    return { name, role, apps: apps ?? null, link: `${url}/console/login#code=${code}` };
  },
  lines: ({ name, role, link }) => [
    `One-time login link for ${name} (${role}), valid for 5 minutes:`,
    ...['', `  ${link}`, ''],
    'On another machine, open the console and paste the text after "code=".',
  ],
});

const list = operation({
  name: 'sessions list',
  about: 'list open sessions, newest first',
  right: 'access',
  http: ['GET /sessions'],
  commands: [],
  result: async () => (await import('../documents/access.ts')).OpenSessions,
  run: async ({ admin, session }) =>
    (await listSessions(admin)).map(({ apps = null, createdAt, seenAt, expiresAt, ...row }) => ({
      ...{ id: row.id, name: row.name, role: row.role, apps, createdAt: iso(createdAt) },
      ...{ seenAt: iso(seenAt), expiresAt: iso(expiresAt) },
      isOwn: session.via === 'session' && row.id === session.id,
    })),
});

const end = operation({
  name: 'sessions end',
  about: 'end a session, including one of another user',
  right: 'access',
  kind: 'change',
  http: ['DELETE /sessions/:id'],
  isBare: true,
  input: { id: id('session id') },
  commands: [],
  result: async () => (await import('../documents/access.ts')).Done,
  async run({ admin }, input) {
    await endSession(admin, input.id);
    return { done: true };
  },
});

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export const logins: readonly Operation[] = [login, list, end];
