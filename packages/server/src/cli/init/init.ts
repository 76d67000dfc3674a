import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { chooseConfig, textVariable } from '../../config/choose-file.ts';
import { listedNames } from '../../lib/nearest.ts';
import { AdminError } from '../../operations/context/admin-error.ts';
import { type CommandContext, UsageError } from '../process/context.ts';
import { readEnvironment } from '../process/environment.ts';
import { printDocument } from '../process/print.ts';
import { withSharedOptions } from '../process/shared-options.ts';
import { vendors } from './first-platforms.ts';
import {
  alreadyExists,
  configOption,
  type InitOptions,
  type InitTarget,
  loadText,
  writeNew,
} from './new-file.ts';

export function registerInit(program: Command, context: CommandContext): void {
  withSharedOptions(
    program
      .command('init')
      .description('write a starter configuration (default platform: the simulator)'),
  )
    .option('--openai', 'use OpenAI, with OPENAI_API_KEY')
    .option('--anthropic', 'use Anthropic, with ANTHROPIC_API_KEY')
    .option('--bedrock', 'use Amazon Bedrock (mantle), with AWS_REGION and AWS credentials')
    .option('--ollama', 'use Ollama on this machine, or at OLLAMA_HOST')
    .option('--company <name>', 'company name, used in billing project names')
    .option('--app <name>', 'with a platform: first app (default: my-app)')
    .option('--email <address>', "with a platform: owner of the app's key")
    .option('--project <id>', 'with a platform: billing project of the app')
    .option('--yes', 'skip all questions')
    .action((_options: unknown, command: Command) =>
      init(context, command.optsWithGlobals<InitOptions>()),
    );
}

/** Never overwrites a file. */
async function init(context: CommandContext, options: InitOptions): Promise<void> {
  readEnvironment(context.environment);
  const chosen = vendors.filter((vendor) => options[vendor] === true);
  for (const name of ['app', 'email', 'project'] as const) {
    if (options[name] === undefined || chosen.length > 0) continue;
    throw new UsageError(
      `--${name} requires a platform: --openai, --anthropic, --bedrock or --ollama`,
    );
  }
  const target = targetOf(context, options);
  if (chosen.length === 0) return initSample(context, options, target);
  const { initPlatforms } = await import('./init-platforms.ts');
  await initPlatforms(context, options, { ...target, chosen });
}

/** Throws if no file can be written. */
function targetOf(context: CommandContext, options: InitOptions): InitTarget & { sample: URL } {
  const choice = chooseConfig({ option: options.config, environment: context.environment });
  if ('problem' in choice) throw new UsageError(choice.problem);
  if (choice.text !== undefined) {
    throw new UsageError(
      `${textVariable} already holds the configuration; unset it to write a file`,
    );
  }
  const { file } = choice;
  if (existsSync(file)) throw alreadyExists(file);
  accessSync(dirname(file), constants.W_OK);
  const paths = ['../../../gateway.yaml', '../../../../../gateway.yaml'];
  const [sample] = paths.map((each) => new URL(each, import.meta.url)).filter(existsSync);
  if (sample === undefined)
    throw new AdminError('the sample configuration is missing; reinstall model-gateway');
  const schema = relative(dirname(file), fileURLToPath(new URL('gateway.schema.json', sample)));
  return { file, schema: schema.startsWith('.') ? schema : `./${schema}`, sample };
}

function initSample(
  context: CommandContext,
  options: InitOptions,
  { file, schema, sample }: InitTarget & { readonly sample: URL },
): void {
  const yaml = sampleFor(readFileSync(sample, 'utf8'), schema, options.company);
  const { apps, platforms } = loadText(context, file, yaml);
  writeNew(file, yaml);
  const document = {
    file,
    apps: apps.map(({ name }) => name),
    platforms: platforms.map(({ name }) => name),
  };
  printDocument(context, options, document, sampleLines);
}

function sampleFor(yaml: string, schema: string, company: string | undefined): string {
  const sample = yaml
    .replace(/(?<=^# yaml-language-server: \$schema=)\S+/, schema)
    // Exact budgets from the first call on.
    .replace(/^# (?=unpriced: refuse$)/m, '');
  if (company === undefined) return sample;
  const named = sample.replace(/^company: \S+/m, `company: ${JSON.stringify(company)}`);
  return named
    .replace(/prod-acme-core/g, `prod-${company}-core`)
    .replace(/(?<=@|\.)acme(?=\.example)/g, company);
}

function sampleLines({ file, apps }: { file: string; apps: readonly string[] }): readonly string[] {
  const { location, option } = configOption(file);
  return [
    `Wrote ${location}. Platform: simulator only (nothing is billed). Apps:`,
    `${listedNames(apps)}.`,
    '',
    'Next:',
    `  npx model-gateway serve${option}`,
    '    Start the gateway. The first start prints one key per app and a sample call.',
    `  npx model-gateway platforms check${option}`,
    '    Check your own platform, after adding it to the file and its key to the environment.',
    `  npx model-gateway keys issue --app ${apps[0] ?? 'NAME'} --email YOU@YOUR-COMPANY${option}`,
    '    Issue a key for one of your services.',
  ];
}
