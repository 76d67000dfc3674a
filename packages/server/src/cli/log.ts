import type { Command } from 'commander';
import { type LineDocument, listLines } from '../operations/audit-log/audit-log.ts';
import { tableLines } from '../operations/text-lines.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onStore } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { readCount, readLine, readSince, sinceHint } from './values.ts';

interface ListOptions extends CommonOptions {
  readonly subject?: string;
  readonly actor?: string;
  readonly since?: string;
  readonly limit?: string;
}

const limitDefault = 50;
const limitMax = 1_000;

/** `log list`: the audit log. */
export function registerLog(program: Command, context: CommandContext): void {
  const log = program.command('log').description('the audit log: who changed what');
  withSharedOptions(log.command('list').description('lines of the audit log, the newest first'))
    .option('--subject <subject>', 'only those of an app, a key, a call, or a wallet (app/user)')
    .option('--actor <actor>', 'only those of one actor, such as cli:ann')
    .option('--since <time>', `from then on: ${sinceHint}`)
    .option('--limit <n>', `how many at most, up to ${limitMax} (${limitDefault})`)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const { subject, actor, since, limit } = options;
      const search = {
        subject: subject === undefined ? undefined : readLine('--subject', subject),
        actor: actor === undefined ? undefined : readLine('--actor', actor),
        since: since === undefined ? undefined : readSince('--since', since, context.clock.now()),
        limit: limit === undefined ? limitDefault : readCount('--limit', limit, limitMax),
      };
      const lines = await onStore(context, options, (admin) => listLines(admin, search));
      printDocument(context, options, lines, logLines);
    });
}

function logLines(lines: readonly LineDocument[]): readonly string[] {
  return tableLines(
    ['at', 'actor', 'action', 'subject', 'before', 'after', 'reference', 'why'],
    lines.map(({ at, actor, action, subject, before, after, reference, reason }) => [
      ...[at, actor, action, subject, before ?? '', after ?? '', reference ?? '', reason ?? ''],
    ]),
    'The log has no such line.',
  );
}
