import type { Command } from 'commander';
import type { Config } from '../domain/config.ts';
import { rehearse } from '../operations/noted-change.ts';
import type { Noun, Operating, OperatingPart, Operation } from '../operations/operation.ts';
import { planLines } from '../operations/plan-lines.ts';
import { commandLine } from '../operations/who.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, warnOfDryRun, withDangerOptions } from './confirm.ts';
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

type Values = ReturnType<typeof readOptions>;

/** What a command runs on. */
interface Run {
  readonly context: CommandContext;
  readonly options: DangerOptions;
  readonly operation: Operation;
  readonly values: Values;
  readonly operating: Operating<OperatingPart>;
  readonly company: Pick<Config, 'company'>;
}

function addCommand(group: Command, context: CommandContext, operation: Operation): void {
  const { name, about, input } = operation;
  const [, verb = ''] = name.split(' ');
  const command = withFields(group.command(verb).description(about), input);
  const example = ['model-gateway', name, ...exampleWords(input, operation.example)].join(' ');
  withOptions(command, operation)
    .addHelpText('after', `\nExample:\n  ${example}`)
    .action(async () => {
      const options = command.optsWithGlobals<DangerOptions>();
      const given = await withStandardInput(input, command.opts(), context.readStandardInput);
      const values = readOptions(input, command.args, given, context.clock.now());
      await onOperation(context, options, operation, (operating, company) =>
        execute({ context, options, operation, values, operating, company }),
      );
    });
}

function withOptions(command: Command, { kind, danger }: Operation): Command {
  if (kind === 'read') return withSharedOptions(command);
  if (danger !== undefined) return withDangerOptions(command);
  return withChangeOptions(command).option('--dry-run', dryRunHelp);
}

const dryRunHelp = 'show what it would do, and change nothing';

/** Opens the store, with the parts of the configuration that the operation needs. */
function onOperation(
  context: CommandContext,
  options: ChangeOptions,
  { declaresApps, needs = [] }: Operation,
  work: (operating: Operating<OperatingPart>, company: Pick<Config, 'company'>) => Promise<void>,
): Promise<void> {
  const open = declaresApps === true ? onApps<void, OperatingPart> : onStore<void, OperatingPart>;
  return open(
    context,
    options,
    (admin, config) => work({ admin, who: commandLine, apps: undefined, config }, config),
    { parts: needs },
  );
}

async function execute(run: Run): Promise<void> {
  const { context, options, operation, values, operating, company } = run;
  if (options.dryRun === true) return showPlan(run);
  const { danger, name } = operation;
  if (danger !== undefined) {
    const planned = await operation.plan?.(operating, values);
    const lines = planned?.result == null ? [] : danger.intent(planned.result);
    await confirm(context, company, options, { command: name, lines });
  }
  const result = await operation.run(operating, values);
  for (const line of operation.warnings?.(result, values) ?? []) context.warn(line);
  printResult(run, result);
}

function printResult({ context, options, operation, values }: Run, result: unknown): void {
  printDocument(context, options, result, () => operation.lines(result, values));
}

/** Shows the result of a plan; of a change that is rehearsed, its lines of the audit log. */
async function showPlan(run: Run): Promise<void> {
  const { context, options, operation, values, operating } = run;
  const planned = await operation.plan?.(operating, values);
  warnOfDryRun(context);
  if (planned?.result != null) return printResult(run, planned.result);
  const changes =
    planned?.changes ??
    (await rehearse(operating.admin, (admin) => operation.run({ ...operating, admin }, values)));
  printDocument(context, options, { dryRun: true, changes, result: null }, () =>
    planLines(changes),
  );
}
