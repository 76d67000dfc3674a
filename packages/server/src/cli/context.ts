import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { chooseConfig } from '../config/choose-file.ts';
import { type ConfigSource, loadConfig, loadParts } from '../config/load-config.ts';
import type { Needs, Part, PartConfig } from '../config/parts.ts';
import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import { environmentProblems, readEnvironment } from './environment.ts';
import { UsageError } from './usage-error.ts';

export { UsageError };

/** What a command gets from its process. */
export interface CommandContext {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prints a line on standard output. */
  readonly print: (line: string) => void;
  /** Prints a line on standard error. */
  readonly warn: (line: string) => void;
  readonly readStandardInput: () => Promise<string>;
  /**
   * The process serves: an output that cannot be written does not end it, and nothing that is open
   * still delays its end. Missing where another program runs the command.
   */
  readonly becomeService?: () => void;
  /** Asks at the terminal for a line; missing where there is none. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** Options that stand before or after every command. */
export interface CommonOptions {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

/** What a configuration is read from. */
interface ConfigPlace extends Pick<CommandContext, 'environment'> {
  /** Its default waits for pipes as well, such as those of a shell. */
  readonly readFile?: ConfigSource['readFile'];
}

/** Reads the configuration. Throws a UsageError with one line a problem, of the environment too. */
export function readConfig(context: ConfigPlace, options: CommonOptions): Config {
  return read(context, options, loadConfig);
}

/** The same with the parts that a command names: variables of other parts need not be set. */
export function readParts<P extends Part>(
  context: CommandContext,
  options: CommonOptions,
  needs: Needs<P>,
): PartConfig<P> {
  return read(context, options, (source) => loadParts(source, needs));
}

function read<T>(
  context: ConfigPlace,
  options: CommonOptions,
  load: (source: ConfigSource) => { config: T } | { problems: readonly string[] },
): T {
  const { environment, readFile = (path) => readFileSync(path, 'utf8') } = context;
  const problems = environmentProblems(environment);
  const place = chooseConfig({ option: options.config, environment });
  if ('problem' in place) throw new UsageError([...problems, place.problem].join('\n'));
  const loaded = load({ ...place, environment, readFile });
  if ('problems' in loaded) throw new UsageError([...problems, ...loaded.problems].join('\n'));
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return loaded.config;
}

/**
 * Who gives a command, for the audit log: `MODEL_GATEWAY_ACTOR`, else who became another user by
 * sudo, else the user of the process. Throws a UsageError for a name that is none.
 */
export function operator(environment: CommandContext['environment'] = {}): string {
  const { MODEL_GATEWAY_ACTOR: actor } = readEnvironment(environment);
  return `cli:${actor ?? (environment.SUDO_USER || userName())}`;
}

/** A container may run under a number that no user has. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user database has no entry for this process: the audit log cannot name it.
    return 'unknown';
  }
}
