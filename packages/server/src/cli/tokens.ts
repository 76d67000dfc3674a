import type { Command } from 'commander';
import type { Role } from '../domain/role.ts';
import {
  disableToken,
  issueToken,
  listTokens,
  type TokenDocument,
} from '../operations/access/admin-tokens.ts';
import { factLines, tableLines } from '../operations/text-lines.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { appsOf, roleOption } from './console.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onStore } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

interface IssueOptions extends ChangeOptions {
  readonly name: string;
  readonly role: Role;
  readonly apps?: string;
  readonly days: string;
}

/** `tokens issue|list|disable`. */
export function registerTokens(program: Command, context: CommandContext): void {
  const tokens = program.command('tokens').description('tokens of scripts for the admin API');
  withChangeOptions(tokens.command('issue').description('make a token, shown once'))
    .requiredOption('--name <name>', 'what it is for')
    .addOption(roleOption())
    .option('--apps <apps>', 'the only apps that are seen, such as a,b; a team needs some')
    .option('--days <days>', 'how long it works, 365 at most', '90')
    .action((_options: unknown, command: Command) =>
      issue(context, command.optsWithGlobals<IssueOptions>()),
    );
  withSharedOptions(
    tokens.command('list').description('list tokens (the secrets are not stored)'),
  ).action((_options: unknown, command: Command) =>
    list(context, command.optsWithGlobals<CommonOptions>()),
  );
  withChangeOptions(tokens.command('disable <id>').description('disable a token for good')).action(
    (id: string, _options: unknown, command: Command) =>
      disable(context, id, command.optsWithGlobals<ChangeOptions>()),
  );
}

async function issue(context: CommandContext, options: IssueOptions) {
  const { name, role, days } = options;
  const request = { name, role, apps: appsOf(options.apps), days: Number(days) };
  const issued = await onStore(context, options, (admin) => issueToken(admin, request));
  printDocument(context, options, issued, (token) => [
    ...tokenLines(token),
    '',
    `  ${token.token}`,
    '',
    'It is shown this once; only its hash is stored.',
  ]);
}

async function list(context: CommandContext, options: CommonOptions) {
  const tokens = await onStore(context, options, listTokens);
  printDocument(context, options, tokens, (rows) =>
    tableLines(
      ['token', 'name', 'role', 'apps', 'enabled', 'expires'],
      rows.map(({ id, name, role, apps, enabled, expiresAt }) => [
        ...[id, name, role, apps?.join(',') ?? 'all', enabled ? 'yes' : 'no', expiresAt],
      ]),
      'There is no token.',
    ),
  );
}

async function disable(context: CommandContext, id: string, options: ChangeOptions) {
  const token = await onStore(context, options, (admin) => disableToken(admin, id));
  printDocument(context, options, token, tokenLines);
}

function tokenLines({ id, name, role, apps, enabled, expiresAt }: TokenDocument) {
  return factLines([
    ['token', id],
    ['name', name],
    ['role', role],
    ['apps', apps?.join(', ') ?? 'all'],
    ['enabled', enabled ? 'yes' : 'no'],
    ['expires', expiresAt],
  ]);
}
