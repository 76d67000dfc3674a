import { type Command, Option } from 'commander';
import { type Role, roles } from '../domain/role.ts';
import { makeLoginCode } from '../operations/access/console-sessions.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { type CommandContext, operator } from './context.ts';
import { printDocument } from './print.ts';
import { onStore } from './run-admin.ts';

interface LoginOptions extends ChangeOptions {
  readonly as?: string;
  readonly role: Role;
  readonly apps?: string;
}

/** `console login`: a link that opens one session. */
export function registerConsole(program: Command, context: CommandContext): void {
  const group = program.command('console').description('who may use the console: links to log in');
  withChangeOptions(
    group.command('login').description('make a link that logs in once, within 5 minutes'),
  )
    .option('--as <name>', 'who logs in; else who gives the command')
    .addOption(roleOption())
    .option('--apps <apps>', 'the only apps that are seen, such as a,b; a team needs some')
    .action((_options: unknown, command: Command) =>
      login(context, command.optsWithGlobals<LoginOptions>()),
    );
}

/** `--role`. */
export function roleOption(): Option {
  return new Option('--role <role>', 'what may be done').choices(roles).default('operator');
}

/** The names between commas; undefined for none. */
export function appsOf(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

async function login(context: CommandContext, options: LoginOptions) {
  const { as: name = operator(context.environment).slice('cli:'.length), role } = options;
  const apps = appsOf(options.apps);
  const document = await onStore(
    context,
    options,
    async (admin, { login: { url: ownUrl, listen } }) => {
      const code = await makeLoginCode(admin, { name, role, apps });
      const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
      const url = ownUrl ?? `http://${host}:${listen.port}`;
      return { name, role, apps: apps ?? null, link: `${url}/console/login#code=${code}` };
    },
    { parts: ['login'] },
  );
  printDocument(context, options, document, ({ link }) => [
    `Logs in ${name} as ${role}, once, within 5 minutes:`,
    '',
    `  ${link}`,
    '',
    'On another machine, paste what follows "code=" into the page.',
  ]);
}
