import type { Command } from 'commander';
import { AdminError } from '../operations/admin-error.ts';
import { listHooks } from '../operations/hooks/hooks.ts';
import { hooksLines, testLines } from '../operations/hooks/lines.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onStore } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

/** `notify list|test`: the hooks that are told what operators should know. */
export function registerNotify(program: Command, context: CommandContext): void {
  const notify = program.command('notify').description('hooks that are told of budgets and faults');
  withSharedOptions(
    notify.command('list').description('list every hook, and what waits for it or was given up'),
  ).action((_options: unknown, command: Command) =>
    list(context, command.optsWithGlobals<CommonOptions>()),
  );
  withSharedOptions(
    notify.command('test <name>').description('send a hook a test, and say what it answers'),
  ).action((name: string, _options: unknown, command: Command) =>
    test(context, name, command.optsWithGlobals<CommonOptions>()),
  );
}

async function list(context: CommandContext, options: CommonOptions) {
  const hooks = await onStore(context, options, (admin, config) => listHooks(admin, config.hooks), {
    parts: ['hooks'],
  });
  printDocument(context, options, hooks, hooksLines);
}

async function test(context: CommandContext, name: string, options: CommonOptions) {
  const { testHook } = await import('../operations/hooks/test-hook.ts');
  const tested = await onStore(
    context,
    options,
    (admin, { notify, hooks }) =>
      testHook(
        admin,
        notify,
        name,
        hooks.map((hook) => hook.name),
      ),
    { parts: ['notify', 'hooks'], only: name },
  );
  printDocument(context, options, tested, testLines);
  if (!tested.isDelivered) throw new AdminError(`the hook ${name} did not take the test`);
}
