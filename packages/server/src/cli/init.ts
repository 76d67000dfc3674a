import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { AdminError } from '../admin/admin-error.ts';
import { chooseConfig, textVariable } from '../config/choose-file.ts';
import { loadConfig } from '../config/load-config.ts';
import { type CommandContext, type CommonOptions, UsageError } from './context.ts';
import { readEnvironment } from './environment.ts';
import { printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

interface InitOptions extends CommonOptions {
  readonly company?: string;
}

/** `init [--company NAME]`: a first configuration, and what to do with it. */
export function registerInit(program: Command, context: CommandContext): void {
  withSharedOptions(
    program.command('init').description('write a commented configuration to begin with'),
  )
    .option('--company <name>', 'your company, for the names of billing projects')
    .action((_options: unknown, command: Command) =>
      init(context, command.optsWithGlobals<InitOptions>()),
    );
}

/** Writes the file, and no file that is there already. */
function init(context: CommandContext, options: InitOptions): void {
  const { environment } = context;
  readEnvironment(environment);
  const place = chooseConfig({ option: options.config, environment });
  if ('problem' in place) throw new UsageError(place.problem);
  if (place.text !== undefined) {
    throw new UsageError(`${textVariable} has the configuration: unset it to write a file`);
  }
  const { file } = place;
  const yaml = sampleFor(file, options.company);
  const readFile = (path: string) => (path === file ? yaml : readFileSync(path, 'utf8'));
  const loaded = loadConfig({ file, environment, readFile });
  if ('problems' in loaded) throw new UsageError(loaded.problems.join('\n'));
  write(file, yaml);
  const { apps, platforms } = loaded.config;
  const document = {
    file,
    apps: apps.map(({ name }) => name),
    platforms: platforms.map(({ name }) => name),
  };
  printDocument(context, options, document, nextSteps);
}

/** The configuration that comes with the service, as it is to stand in `file`. */
function sampleFor(file: string, company: string | undefined): string {
  const places = ['../../gateway.yaml', '../../../../gateway.yaml'];
  const [found] = places.map((place) => new URL(place, import.meta.url)).filter(existsSync);
  if (found === undefined)
    throw new AdminError('this installation has no sample: install it again');
  const schema = relative(dirname(file), fileURLToPath(new URL('gateway.schema.json', found)));
  const place = schema.startsWith('.') ? schema : `./${schema}`;
  const sample = readFileSync(found, 'utf8')
    .replace(/(?<=^# yaml-language-server: \$schema=)\S+/, place)
    // Exact caps from the first call on.
    .replace(/^# (?=unpriced: refuse$)/m, '');
  if (company === undefined) return sample;
  const named = sample.replace(/^company: \S+/m, `company: ${JSON.stringify(company)}`);
  return named
    .replace(/prod-acme-core/g, `prod-${company}-core`)
    .replace(/(?<=@|\.)acme(?=\.example)/g, company);
}

function write(file: string, yaml: string): void {
  try {
    writeFileSync(file, yaml, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new AdminError(
      `${file} is there already, and is left as it is; write another with --config FILE`,
    );
  }
}

function nextSteps({ file, apps }: { file: string; apps: readonly string[] }): readonly string[] {
  const place = relative('.', file);
  const config = place === 'gateway.yaml' ? '' : ` --config ${place}`;
  return [
    `Wrote ${place}: the simulator as the only platform, so nothing is billed, and the apps`,
    `${apps.join(', ')}.`,
    '',
    'Next:',
    `  npx model-gateway serve${config}`,
    '    starts it; the first start prints a key for each app and a call to paste',
    `  npx model-gateway platforms check${config}`,
    '    once you have put a platform of yours into the file, and its key into the environment',
    `  npx model-gateway keys issue --app ${apps[0] ?? 'NAME'} --email YOU@YOUR-COMPANY${config}`,
    '    makes a key for a service that is to call',
  ];
}
