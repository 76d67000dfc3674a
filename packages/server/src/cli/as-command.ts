import type { Command } from 'commander';
import type { Config } from '../domain/config.ts';
import { AdminError } from '../operations/context/admin-error.ts';
import { previewChange } from '../operations/context/audited-change.ts';
import type { AdminContext } from '../operations/context/context.ts';
import type { OperatingParts } from '../operations/context/parts.ts';
import { commandLine } from '../operations/context/session.ts';
import { deprecationsIn } from '../operations/description/deprecated.ts';
import { flagOf } from '../operations/description/field.ts';
import { withFormerNames } from '../operations/description/former-names.ts';
import type { CommandForm, Operating, Operation } from '../operations/description/operation.ts';
import { readInput } from '../operations/description/read-input.ts';
import { planLines } from '../operations/description/text-lines.ts';
import type { Noun } from '../operations/nouns.ts';
import { confirm, type DangerOptions, warnOfDryRun, withDangerOptions } from './confirm.ts';
import { configPartsOf, operatingParts } from './operating-parts.ts';
import { type CommandContext, readParts } from './process/context.ts';
import {
  exampleWords,
  givenOptions,
  inFlags,
  withChangeOptions,
  withFields,
  withStandardInput,
} from './process/option-input.ts';
import { createProgress, printDocument } from './process/print.ts';
import { withSharedOptions } from './process/shared-options.ts';
import { UsageError } from './process/usage-error.ts';

export async function nounCommands({ name, about, load }: Noun) {
  const operations = await load();
  return (program: Command, context: CommandContext) => {
    const forms = operations.flatMap((operation) =>
      operation.commands.map((form) => ({ operation, form, words: wordsOf(operation, form) })),
    );
    const isGroup = forms.some(({ words }) => words.length > 1);
    const group = isGroup ? program.command(name).description(about) : program;
    for (const { operation, form, words } of forms) {
      addCommand(group.command(words.at(-1) ?? name), context, operation, form);
    }
  };
}

function wordsOf({ name }: Operation, form: CommandForm<never, never>): readonly string[] {
  return (form.name ?? name).split(' ');
}

type Everything = Operating<keyof OperatingParts>;
type Values = ReturnType<typeof readInput>;
type Form = Operation['commands'][number];

interface Run {
  readonly context: CommandContext;
  readonly options: DangerOptions;
  readonly operation: Operation;
  readonly form: Form;
  readonly values: Values;
  readonly operating: Everything;
  readonly company: Pick<Config, 'company'>;
}

function addCommand(
  command: Command,
  context: CommandContext,
  operation: Operation,
  form: Form,
): void {
  const input = form.input ?? operation.input;
  const { name = operation.name, about = operation.about } = form;
  withFields(command.description(about), input);
  const { upload } = operation;
  if (upload !== undefined) command.requiredOption('--file <file...>', upload.about);
  const words = [
    ...exampleWords(input, form.example ?? operation.example),
    ...(upload === undefined ? [] : ['--file', 'FILE']),
  ];
  withOptions(command, operation, form)
    .addHelpText('after', `\nExample:\n  ${['model-gateway', name, ...words].join(' ')}`)
    .action(async () => {
      const options = command.optsWithGlobals<DangerOptions>();
      const rawOptions = await withStandardInput(input, command.opts(), context.readStandardInput);
      const parsed = parseInput(context, input, command.args, rawOptions);
      for (const line of deprecationsIn(input, parsed)) context.warn(line);
      const values = inFlags({ ...operation.input, ...form.input }, () =>
        valuesOf(operation, form.toInput?.(parsed, options) ?? parsed),
      );
      await onOperation({ context, options, operation, values }, (operating, company) =>
        execute({ context, options, operation, form, values, operating, company }),
      ).catch((error: unknown) => {
        throw inOption(input, error);
      });
    });
}

/** A part of a field, such as `settings.keysMax`, uses the field's option. */
function inOption(fields: Operation['input'], error: unknown): unknown {
  if (!(error instanceof AdminError) || error.field?.includes('.') !== true) return error;
  const parts = error.field.split('.');
  const at = parts.findLastIndex((part) => fields[part] !== undefined);
  const [name = '', ...rest] = parts.slice(at);
  const field = fields[name];
  if (at === -1 || field === undefined) return error;
  return new UsageError(`--${[flagOf(name, field), ...rest].join('.')}: ${error.message}`);
}

function withOptions(
  command: Command,
  { kind, danger }: Operation,
  { needsConfirmation }: Form,
): Command {
  if (kind === 'read') return withSharedOptions(command);
  if (danger !== undefined && needsConfirmation !== false) return withDangerOptions(command);
  return withChangeOptions(command).option('--dry-run', dryRunHelp);
}

const dryRunHelp = 'preview; change nothing';

type InputValues = Readonly<Record<string, unknown>>;

function parseInput(
  { clock }: CommandContext,
  input: Operation['input'],
  words: readonly string[],
  options: InputValues,
): InputValues {
  const inputs = givenOptions(input, words, options, clock.now());
  inFlags(input, () => readInput(input, inputs));
  return inputs;
}

function valuesOf({ input, check }: Operation, inputs: InputValues): Values {
  const values = readInput(input, inputs);
  check?.(values);
  return values;
}

/** Opens only the necessary parts. */
async function onOperation(
  {
    context,
    options,
    operation,
    values,
  }: Pick<Run, 'context' | 'options' | 'operation' | 'values'>,
  work: (operating: Everything, company: Pick<Config, 'company'>) => Promise<void>,
): Promise<void> {
  const { needs, only, opens } = operation;
  const named = only === undefined ? undefined : values[only];
  const requested = {
    parts: configPartsOf(needs),
    only: typeof named === 'string' ? named : undefined,
  };
  const on = async (
    admin: AdminContext,
    config: Parameters<typeof operatingParts>[1]['config'],
  ) => {
    const parts = await operatingParts(context, { config, options, needs });
    const progress = createProgress(context);
    return work({ ...parts, admin, session: commandLine, apps: undefined, progress }, config);
  };
  const opened = operation.opensFor?.(values) ?? opens;
  if (opened === 'nothing') return on(storeless(operation, context), Object.create(null));
  if (opened === 'file') {
    return on(storeless(operation, context), readParts(context, options, requested));
  }
  // Loaded late: a command without a store does not load it.
  const { onApps, onStore } = await import('./process/run-admin.ts');
  return (opened === 'apps' ? onApps : onStore)(context, options, on, requested);
}

/** Each use of this context is a bug, because the operation opens no store. */
function storeless({ name }: Operation, { clock }: CommandContext): AdminContext {
  return new Proxy(Object.create({ clock }), {
    get(target, key) {
      if (key in target) return Reflect.get(target, key);
      throw new Error(`${name} opens no store`);
    },
  });
}

async function execute(run: Run): Promise<void> {
  const { context, options, operation, operating, values } = run;
  const isDryRun = options.dryRun === true;
  const warnings = (await operation.warnings?.(operating, values, isDryRun)) ?? [];
  if (isDryRun) {
    await showPlan(run);
    for (const line of warnings) context.warn(line);
    return;
  }
  await askFirst(run);
  const result = await operation.run(operating, values);
  for (const line of warnings) context.warn(line);
  await printResult(run, result);
  const failure = operation.failure?.(result, operating);
  if (failure !== undefined) throw new AdminError(failure);
}

async function askFirst({ context, options, operation, form, ...run }: Run): Promise<void> {
  const { danger, name } = operation;
  if (danger === undefined || form.needsConfirmation === false) return;
  const isAgreed = options.yes === true || options.force === true;
  if (isAgreed && danger.isAlwaysShown !== true) return;
  const planned = await operation.plan?.(run.operating, run.values);
  if (planned?.result == null) return;
  const lines = danger.intent(planned.result, run.values, planned.changes);
  if (lines.length === 0) return;
  const isUnasked = context.ask === undefined && danger.actsWithoutTerminal?.(run.values) === true;
  if (!isAgreed && !isUnasked)
    return confirm(context, run.company, options, { command: form.name ?? name, lines });
  if (danger.isAlwaysShown === true) for (const line of lines) context.warn(line);
}

async function printResult(run: Run, result: unknown): Promise<void> {
  const { context, options, operation, form, operating, values } = run;
  const hasBoth = options.json === true && operation.hasFormerNames === true;
  // Loaded late, because it loads the schemas.
  const named = hasBoth ? withFormerNames(await operation.result(), result) : result;
  const document = form.document ? await form.document(named, operating.admin, values) : named;
  const read = form.lines ?? operation.lines;
  const lines = () => read?.(result, values) ?? [];
  if (form.isRaw === true) for (const line of lines()) context.print(line);
  else printDocument(context, options, document, lines);
}

async function showPlan(run: Run): Promise<void> {
  const { context, options, operation, values, operating } = run;
  const planned = await operation.plan?.(operating, values);
  warnOfDryRun(context);
  if (planned?.result != null) {
    const lines = operation.danger?.planned;
    const form = lines === undefined ? run.form : { ...run.form, lines };
    return printResult({ ...run, form }, planned.result);
  }
  const changes =
    planned?.changes ??
    (await previewChange(operating.admin, (admin) =>
      operation.run({ ...operating, admin }, values),
    ));
  printDocument(context, options, { dryRun: true, changes, result: null }, () =>
    planLines(changes),
  );
}
