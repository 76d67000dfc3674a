import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { chooseConfig } from '../../config/choose-file.ts';
import { type ConfigSource, loadConfig, loadParts } from '../../config/load-config.ts';
import type { Needs, Part, PartConfig } from '../../config/parts.ts';
import type { Config } from '../../domain/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import { environmentProblems, readEnvironment } from './environment.ts';
import { UsageError } from './usage-error.ts';

export { UsageError };

export interface CommandContext {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly readStandardInput: () => Promise<string>;
  /**
   * Afterwards an unwritable output does not end the process, and open handles do not delay its
   * end. Missing if another program runs the command.
   */
  readonly becomeService?: () => void;
  /** Missing without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** These options can precede or follow the command. */
export interface CommonOptions {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

interface ConfigLocation extends Pick<CommandContext, 'environment'> {
  /** The default also waits for pipes, such as those of a shell. */
  readonly readFile?: ConfigSource['readFile'];
}

/** Throws a UsageError with a line for each problem, including those of the environment. */
export function readConfig(context: ConfigLocation, options: CommonOptions): Config {
  return read(context, options, loadConfig);
}

/** Variables of other parts need not be set. */
export function readParts<P extends Part>(
  context: CommandContext,
  options: CommonOptions,
  needs: Needs<P>,
): PartConfig<P> {
  return read(context, options, (source) => loadParts(source, needs));
}

function read<T>(
  context: ConfigLocation,
  options: CommonOptions,
  load: (source: ConfigSource) => { config: T } | { problems: readonly string[] },
): T {
  const { environment, readFile = (path) => readFileSync(path, 'utf8') } = context;
  const problems = environmentProblems(environment);
  const location = chooseConfig({ option: options.config, environment });
  if ('problem' in location) throw new UsageError([...problems, location.problem].join('\n'));
  const loaded = load({ ...location, environment, readFile });
  if ('problems' in loaded) throw new UsageError([...problems, ...loaded.problems].join('\n'));
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return loaded.config;
}

/**
 * For the audit log: `MODEL_GATEWAY_ACTOR`, else the user behind sudo, else the process's user.
 * Throws a UsageError for an invalid name.
 */
export function operator(environment: CommandContext['environment'] = {}): string {
  const { MODEL_GATEWAY_ACTOR: actor } = readEnvironment(environment);
  return `cli:${actor ?? (environment.SUDO_USER || userName())}`;
}

/** A container can run under a number without a user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user database has no entry for this process.
    return 'unknown';
  }
}
