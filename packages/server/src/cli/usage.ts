import type { Command } from 'commander';
import { usageOfAll, usageOfApp } from '../operations/reports/usage.ts';
import { usageLines, usagesLines } from '../operations/reports/usage-lines.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDayOrWord } from './values.ts';

interface UsageOptions extends CommonOptions {
  readonly day?: string;
}

/** `usage [APP] [--day D]`: the document of `GET /v1/usage`, or those of every app. */
export function registerUsage(program: Command, context: CommandContext): void {
  withSharedOptions(
    program
      .command('usage [app]')
      .description('the spending of one app, or of every app, on a day'),
  )
    .option('--day <day>', 'a UTC day such as 2026-11-21, or yesterday; else today')
    .action((app: string | undefined, _options: unknown, command: Command) =>
      usage(context, app, command.optsWithGlobals<UsageOptions>()),
    );
}

async function usage(context: CommandContext, app: string | undefined, options: UsageOptions) {
  const day = options.day === undefined ? undefined : readDayOrWord('--day', options.day);
  if (app === undefined) {
    const usages = await onApps(context, options, (admin) => usageOfAll(admin, day));
    printDocument(context, options, usages, usagesLines);
    return;
  }
  const found = await onApps(context, options, (admin) => usageOfApp(admin, app, day));
  printDocument(context, options, found, usageLines);
}
