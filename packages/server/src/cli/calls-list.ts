import type { Command } from 'commander';
import { usd } from '../config/amounts.ts';
import { dearestLines, foundLines } from '../operations/calls/calls-list-lines.ts';
import { findDearest } from '../operations/calls/dearest-calls.ts';
import { type CallSearch, findCalls } from '../operations/calls/find-calls.ts';
import type { AdminContext } from '../operations/context.ts';
import { erasureLines } from '../operations/users/erase-user.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { UsageError } from './context.ts';
import { printDocument } from './print.ts';
import { onStore } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { readCount, readLine, readSince, readValue, sinceHint } from './values.ts';

interface ListOptions extends CommonOptions {
  readonly app?: string;
  readonly user?: string;
  readonly key?: string;
  readonly model?: string;
  readonly code?: string;
  readonly since?: string;
  readonly until?: string;
  readonly minUsd?: string;
  readonly estimated?: boolean;
  readonly dearest?: boolean;
  readonly after?: string;
  readonly limit?: string;
}

/** `calls list`: finished calls, the newest first. */
export function registerCallsList(calls: Command, context: CommandContext): void {
  withSharedOptions(calls.command('list').description('finished calls, the newest first'))
    .option('--app <app>', 'only those of one app')
    .option('--user <id>', 'only those on behalf of this user')
    .option('--key <id>', 'only those of an API key, by its id')
    .option('--model <id>', 'only those of a model')
    .option('--code <code>', 'only those that ended so: OK, TIMEOUT, LOST, …')
    .option('--since <time>', `from then on: ${sinceHint}`)
    .option('--until <time>', 'before then')
    .option('--min-usd <amount>', 'only those that cost as much')
    .option('--estimated', 'only those whose cost is an estimate, in whole or in part')
    .option('--dearest', 'the dearest first, as far as 2 s go')
    .option('--after <id>', 'go on behind this call, where a page ended')
    .option('--limit <n>', `how many at most, up to ${limitMax} (${limitDefault})`)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const search = searchOf(context, options);
      const by = <Found>(find: (admin: AdminContext) => Promise<Found>) =>
        onStore(context, options, async (admin) => {
          const { app, userId } = search;
          const lines = userId === undefined ? [] : await erasureLines(admin, { app, userId });
          for (const line of lines) context.warn(line);
          return find(admin);
        });
      if (options.dearest === true) {
        const found = await by((admin) => findDearest(admin, search));
        printDocument(context, options, found, dearestLines);
      } else {
        const found = await by((admin) => findCalls(admin, search));
        printDocument(context, options, found, foundLines);
      }
    });
}

const limitDefault = 50;
const limitMax = 1_000;

function searchOf(context: CommandContext, options: ListOptions): CallSearch {
  const { app, user, key, model, code, after, minUsd, limit } = options;
  if (options.dearest === true && after !== undefined) {
    throw new UsageError('--after: goes on behind the newest, not behind the --dearest');
  }
  const nowMs = context.clock.now();
  const timeOf = (option: string, text: string | undefined) =>
    text === undefined ? undefined : readSince(option, text, nowMs);
  const since = timeOf('--since', options.since);
  const until = timeOf('--until', options.until);
  if (since !== undefined && until !== undefined && until <= since) {
    throw new UsageError(
      `--until: ${JSON.stringify(options.until)} is not after --since ${JSON.stringify(options.since)}`,
    );
  }
  return {
    ...{ app, since, until },
    userId: user === undefined ? undefined : readLine('--user', user),
    keyId: key === undefined ? undefined : readLine('--key', key),
    model: model === undefined ? undefined : readLine('--model', model),
    code: code === undefined ? undefined : readForm('--code', code, codeForm),
    minPicoUsd: minUsd === undefined ? undefined : readValue('--min-usd', minUsd, usd),
    isEstimated: options.estimated === true,
    after: after === undefined ? undefined : readForm('--after', after, callForm),
    limit: limit === undefined ? limitDefault : readCount('--limit', limit, limitMax),
  };
}

interface Form {
  readonly pattern: RegExp;
  readonly what: string;
}

const codeForm = { pattern: /^[A-Z][A-Z_]*$/, what: 'code; write one such as OK or TIMEOUT' };
const callForm = {
  pattern: /^call_[0-9a-z]{26}$/,
  what: 'id of a call; write call_ and 26 characters, as the page before ended with',
};

function readForm(option: string, text: string, { pattern, what }: Form): string {
  if (pattern.test(text)) return text;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is no ${what}`);
}
