import type { Command } from 'commander';
import { type Scrubbed, scrubStore } from '../operations/store/scrub-store.ts';
import { type ErasedUser, eraseUser, planErasure } from '../operations/users/erase-user.ts';
import { confirm, type DangerOptions, warnOfDryRun, withDangerOptions } from './confirm.ts';
import { type CommandContext, type CommonOptions, readParts } from './context.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

/** `users erase APP USER` forgets a name; `users scrub` rewrites a SQLite file without it. */
export function registerUsers(program: Command, context: CommandContext): void {
  const users = program.command('users').description("forgetting a user's name");
  withDangerOptions(
    users
      .command('erase <app> <user>')
      .description("forget a user's name: at once for what is over, the rest at the month's end"),
  ).action((app: string, userId: string, _options: unknown, command: Command) =>
    erase(context, { app, userId }, command.optsWithGlobals<DangerOptions>()),
  );
  withSharedOptions(
    users
      .command('scrub')
      .description(
        'rewrite the file of a SQLite store that is not served: no free page has a name',
      ),
  ).action((_options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const scrubbed = scrubStore(readParts(context, options, { parts: [] }).store);
    printDocument(context, options, scrubbed, scrubbedLines);
  });
}

async function erase(
  context: CommandContext,
  owner: { readonly app: string; readonly userId: string },
  options: DangerOptions,
) {
  const erased = await onApps(context, options, async (admin, config) => {
    const planned = await planErasure(admin, owner);
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return planned;
    }
    await confirm(context, config, options, { command: 'users erase', lines: intentOf(planned) });
    return eraseUser(admin, owner);
  });
  printDocument(context, options, erased, options.dryRun === true ? intentOf : erasedLines);
}

function intentOf({ app, userId, pseudonym, namedUntil }: ErasedUser): readonly string[] {
  return [
    `This replaces the name ${userId} of ${app} by ${pseudonym} in all that is over, for good; sums stay.`,
    `What is of the running month has the name until ${namedUntil}; what is left of top-ups goes with it.`,
  ];
}

function erasedLines({ app, pseudonym, calls, namedUntil }: ErasedUser): readonly string[] {
  const records = calls === 1 ? '1 record' : `${calls} records`;
  const rest =
    namedUntil === null
      ? 'Nothing has the name any more.'
      : `What is not over has the name until ${namedUntil}; the service, or this command again, forgets it then.`;
  return [`The user of ${app} is ${pseudonym} now: ${records} of calls changed.`, rest];
}

function scrubbedLines({ store, bytes }: Scrubbed): readonly string[] {
  return [`Wrote ${store} anew, ${bytes} bytes. Earlier backups have what they had.`];
}
