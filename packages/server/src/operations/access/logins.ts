import { roles } from '../../domain/role.ts';
import { appNames, asOption, id, initially, line, oneOf, optional } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { endSession, listSessions, makeLoginCode } from './console-sessions.ts';

const login = operation({
  name: 'console login',
  about: 'make a link that logs in once, within 5 minutes',
  right: 'access',
  kind: 'change',
  opens: 'store',
  needs: ['login'],
  input: {
    name: optional(asOption('as', line(128, 'who logs in; else who gives the command', 'name'))),
    role: initially('operator', oneOf(roles, 'what may be done', 'role')),
    apps: optional(appNames('the only apps that are seen, such as a,b; a team needs some')),
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
    `Logs in ${name} as ${role}, once, within 5 minutes:`,
    ...['', `  ${link}`, ''],
    'On another machine, paste what follows "code=" into the page.',
  ],
});

const list = operation({
  name: 'sessions list',
  about: 'list the open sessions, the newest first',
  right: 'access',
  http: ['GET /sessions'],
  commands: [],
  result: async () => (await import('../documents/access.ts')).OpenSessions,
  run: async ({ admin, who }) =>
    (await listSessions(admin)).map(({ apps = null, createdAt, seenAt, expiresAt, ...row }) => ({
      ...{ id: row.id, name: row.name, role: row.role, apps, createdAt: iso(createdAt) },
      ...{ seenAt: iso(seenAt), expiresAt: iso(expiresAt) },
      isOwn: who.via === 'session' && row.id === who.id,
    })),
});

const end = operation({
  name: 'sessions end',
  about: "end a session, another's too",
  right: 'access',
  kind: 'change',
  http: ['DELETE /sessions/:id'],
  isBare: true,
  input: { id: id('the id of the session') },
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
