import type { Command } from 'commander';
import { rehearse } from '../operations/noted-change.ts';
import type { Noun, Operating, Operation, Plan } from '../operations/operation.ts';
import { planLines } from '../operations/plan-lines.ts';
import { commandLine } from '../operations/who.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { warnOfDryRun } from './confirm.ts';
import type { CommandContext } from './context.ts';
import { exampleWords, readOptions, withFields, withStandardInput } from './option-input.ts';
import { printDocument } from './print.ts';
import { onApps, onStore } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

/** Registers the commands of a noun. */
export function registerNoun({ name, about, operations }: Noun) {
  return (program: Command, context: CommandContext) => {
    const group = program.command(name).description(about);
    for (const operation of operations) addCommand(group, context, operation);
  };
}

interface Options extends ChangeOptions {
  readonly dryRun?: boolean;
}

function addCommand(group: Command, context: CommandContext, operation: Operation): void {
  const { name, about, kind, input, declaresApps } = operation;
  const [, verb = ''] = name.split(' ');
  const command = withFields(group.command(verb).description(about), input);
  const example = ['model-gateway', name, ...exampleWords(input, operation.example)].join(' ');
  command.addHelpText('after', `\nExample:\n  ${example}`);
  if (kind === 'read') withSharedOptions(command);
  else withChangeOptions(command).option('--dry-run', 'show what it would do, and change nothing');
  command.action(async () => {
    const options = command.optsWithGlobals<Options>();
    const given = await withStandardInput(input, command.opts(), context.readStandardInput);
    const values = readOptions(input, command.args, given);
    const open = declaresApps === true ? onApps : onStore;
    await open(context, options, async (admin) => {
      const operating = { admin, who: commandLine, apps: undefined };
      if (options.dryRun === true) return showPlan(context, options, operation, operating, values);
      const result = await operation.run(operating, values);
      for (const line of operation.warnings?.(result, values) ?? []) context.warn(line);
      printDocument(context, options, result, (document) => operation.lines(document, values));
    });
  });
}

type Values = ReturnType<typeof readOptions>;

async function showPlan(
  context: CommandContext,
  options: Options,
  operation: Operation,
  operating: Operating,
  values: Values,
): Promise<void> {
  const { changes, result }: Plan<unknown> = (await operation.plan?.(operating, values)) ?? {
    changes: await rehearse(operating.admin, (admin) =>
      operation.run({ ...operating, admin }, values),
    ),
    result: null,
  };
  warnOfDryRun(context);
  printDocument(context, options, { dryRun: true, changes, result }, () => planLines(changes));
}
