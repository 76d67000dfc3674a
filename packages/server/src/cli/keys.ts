import type { Command } from 'commander';
import { usd } from '../config/amounts.ts';
import {
  disableKey,
  enableKey,
  importKey,
  issueKey,
  type KeyLimits,
  rotateKey,
} from '../operations/keys/keys.ts';
import { importedLines, issuedLines, keysLines } from '../operations/keys/lines.ts';
import { listKeys } from '../operations/keys/list-keys.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDuration, readLine, readModels, readTime, readValue, timeHint } from './values.ts';

interface ListOptions extends CommonOptions {
  readonly app?: string;
}

interface IssueOptions extends ChangeOptions {
  readonly app: string;
  readonly email: string;
  readonly dailyUsd?: string;
  readonly monthlyUsd?: string;
  readonly models?: string;
  readonly expires?: string;
  readonly note?: string;
}

interface RotateOptions extends ChangeOptions {
  readonly grace?: string;
  readonly expires?: string;
}

interface ImportOptions extends ChangeOptions {
  readonly name: string;
  readonly customerId: string;
  readonly keyStdin?: boolean;
}

/** `keys list|issue|rotate|import|enable|disable`. */
export function registerKeys(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('the API keys of apps');
  withSharedOptions(keys.command('list').description('list keys (the secrets are not stored)'))
    .option('--app <app>', 'only those of one app')
    .action((_options: unknown, command: Command) =>
      list(context, command.optsWithGlobals<ListOptions>()),
    );
  withChangeOptions(keys.command('issue').description('make a key, shown once'))
    .requiredOption('--app <app>', 'the app that the key is for')
    .requiredOption('--email <address>', 'the person or team that gets it')
    .option('--daily-usd <amount>', 'the most that it may spend in a UTC day')
    .option('--monthly-usd <amount>', 'the most that it may spend in a UTC month')
    .option('--models <ids>', 'the models it may ask, such as a,b, of those of its app')
    .option('--expires <time>', `when it ends: ${timeHint}`)
    .option('--note <text>', 'what it is for; "keys list" shows it')
    .action((_options: unknown, command: Command) =>
      issue(context, command.optsWithGlobals<IssueOptions>()),
    );
  withChangeOptions(
    keys.command('rotate <id>').description("make another key with a key's limits, shown once"),
  )
    .option('--expires <time>', `when the new one ends: ${timeHint}; else as the old one`)
    .option('--grace <time>', 'how long the old one works on, such as 24h; else until disabled')
    .action((id: string, _options: unknown, command: Command) =>
      rotate(context, id, command.optsWithGlobals<RotateOptions>()),
    );
  withChangeOptions(keys.command('import').description('add a key under a name of your own'))
    .requiredOption('--name <name>', 'the name of the key: llm::<role>::<app>::<email>')
    .requiredOption('--customer-id <id>', 'the app that it belongs to')
    .option('--key-stdin', 'read the key from standard input, one line; else make one')
    .action((_options: unknown, command: Command) =>
      importOne(context, command.optsWithGlobals<ImportOptions>()),
    );
  withChangeOptions(keys.command('disable <id>').description('disable a key')).action(
    (id: string, _options: unknown, command: Command) =>
      disable(context, id, command.optsWithGlobals<ChangeOptions>()),
  );
  withChangeOptions(keys.command('enable <id>').description('enable a disabled key')).action(
    (id: string, _options: unknown, command: Command) =>
      enable(context, id, command.optsWithGlobals<ChangeOptions>()),
  );
}

async function list(context: CommandContext, options: ListOptions) {
  const keys = await onApps(context, options, (admin) => listKeys(admin, options.app));
  printDocument(context, options, keys, keysLines);
}

async function issue(context: CommandContext, options: IssueOptions) {
  const { app, email } = options;
  const limits = limitsOf(options);
  const issued = await onApps(context, options, (admin) => issueKey(admin, { app, email, limits }));
  printDocument(context, options, issued, issuedLines);
}

function limitsOf({ dailyUsd, monthlyUsd, models, expires, note }: IssueOptions): KeyLimits {
  return {
    dailyPicoUsd: dailyUsd === undefined ? undefined : readValue('--daily-usd', dailyUsd, usd),
    monthlyPicoUsd:
      monthlyUsd === undefined ? undefined : readValue('--monthly-usd', monthlyUsd, usd),
    models: models === undefined ? undefined : readModels('--models', models),
    expiresAt: expires === undefined ? undefined : readTime('--expires', expires),
    note: note === undefined ? undefined : readLine('--note', note),
  };
}

async function rotate(context: CommandContext, id: string, options: RotateOptions) {
  const { expires, grace } = options;
  const graceMs = grace === undefined ? undefined : readDuration('--grace', grace);
  const expiresAt = expires === undefined ? undefined : readTime('--expires', expires);
  const issued = await onApps(context, options, (admin) =>
    rotateKey(admin, id, { expiresAt, graceMs }),
  );
  printDocument(context, options, issued, (key) => [
    ...issuedLines(key),
    key.oldEndsAt === undefined
      ? `The key ${id} works as well until it is disabled: "keys disable ${id}".`
      : `The key ${id} works as well until ${key.oldEndsAt}.`,
  ]);
}

async function importOne(context: CommandContext, options: ImportOptions) {
  const { name, customerId, keyStdin } = options;
  const issued = await onApps(context, options, async (admin) => {
    const line = keyStdin === true ? await context.readStandardInput() : undefined;
    const key = line?.replace(/(?<![\r\n])[\r\n]+$/, '');
    return importKey(admin, { name, customerId, key });
  });
  warnOfGuessable(context, issued.key);
  // Its owner has it already: a log that keeps this output must not.
  printDocument(context, options, issued, keyStdin === true ? importedLines : issuedLines);
}

/** The fewest different characters of a key that was made by chance. */
const differentMin = 8;

/** A key that is in use elsewhere is taken whatever it is, but not in silence. */
function warnOfGuessable(context: CommandContext, key: string) {
  const different = new Set(key).size;
  if (different >= differentMin) return;
  const count = different === 1 ? '1 character' : `${different} different characters`;
  context.warn(`the key consists of ${count}, so it can be guessed: issue a new one where you can`);
}

async function enable(context: CommandContext, id: string, options: ChangeOptions) {
  const enabled = await onApps(context, options, (admin) => enableKey(admin, id));
  printDocument(context, options, enabled, (key) => [
    `The key ${key.id} of ${key.customerId} is enabled: its callers are known again within 1 s.`,
  ]);
}

async function disable(context: CommandContext, id: string, options: ChangeOptions) {
  const disabled = await onApps(context, options, (admin) => disableKey(admin, id));
  printDocument(context, options, disabled, (key) => [
    `The key ${key.id} of ${key.customerId} is disabled: callers get 403 Forbidden within 1 s.`,
  ]);
}
