import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { chooseConfig, textVariable } from '../../config/choose-file.ts';
import { AdminError } from '../../operations/context/admin-error.ts';
import { type CommandContext, UsageError } from '../process/context.ts';
import { readEnvironment } from '../process/environment.ts';
import { withSharedOptions } from '../process/shared-options.ts';
import { vendors } from './first-platforms.ts';
import { type InitOptions, type InitPlace, taken } from './new-file.ts';
import { initSample } from './sample-file.ts';

export function registerInit(program: Command, context: CommandContext): void {
  withSharedOptions(
    program.command('init').description('write a first configuration, of the simulator by default'),
  )
    .option('--openai', 'for OpenAI, with OPENAI_API_KEY')
    .option('--anthropic', 'for Anthropic, with ANTHROPIC_API_KEY')
    .option('--bedrock', 'for Amazon Bedrock (mantle), with AWS_REGION and AWS credentials')
    .option('--ollama', 'for Ollama on this machine, or at OLLAMA_HOST')
    .option('--company <name>', 'your company, for the names of billing projects')
    .option('--app <name>', 'with a platform: the first app (default: my-app)')
    .option('--email <address>', 'with a platform: the owner of its key')
    .option('--project <id>', 'with a platform: the billing project of the app there')
    .option('--yes', 'ask nothing')
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
      `--${name} needs a platform: --openai, --anthropic, --bedrock or --ollama`,
    );
  }
  const place = placeOf(context, options);
  if (chosen.length === 0) return initSample(context, options, place);
  const { initPlatforms } = await import('./init-platforms.ts');
  await initPlatforms(context, options, { ...place, chosen });
}

/** Throws where no file can be written. */
function placeOf(context: CommandContext, options: InitOptions): InitPlace & { sample: URL } {
  const found = chooseConfig({ option: options.config, environment: context.environment });
  if ('problem' in found) throw new UsageError(found.problem);
  if (found.text !== undefined) {
    throw new UsageError(`${textVariable} has the configuration: unset it to write a file`);
  }
  const { file } = found;
  if (existsSync(file)) throw taken(file);
  accessSync(dirname(file), constants.W_OK);
  const places = ['../../../gateway.yaml', '../../../../../gateway.yaml'];
  const [sample] = places.map((each) => new URL(each, import.meta.url)).filter(existsSync);
  if (sample === undefined)
    throw new AdminError('this installation has no sample: install it again');
  const schema = relative(dirname(file), fileURLToPath(new URL('gateway.schema.json', sample)));
  return { file, schema: schema.startsWith('.') ? schema : `./${schema}`, sample };
}
