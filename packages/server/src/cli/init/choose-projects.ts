import type { Config } from '../../domain/config.ts';
import { projectIdProblem } from '../../domain/project-id.ts';
import { type CommandContext, UsageError } from '../process/context.ts';
import type { Answers } from './ask-platforms.ts';
import type { FirstPlatform } from './first-platforms.ts';
import type { InitOptions } from './new-file.ts';

/** From the option, the platform or the terminal. */
export async function chooseProjects(
  context: CommandContext,
  options: InitOptions,
  parts: {
    readonly app: string;
    readonly answers: readonly Answers[];
    readonly draft: Pick<Config, 'platforms'>;
  },
): Promise<ReadonlyMap<string, string>> {
  const billing = parts.answers.filter(({ needsProject }) => needsProject);
  if (options.project !== undefined && billing.length !== 1) {
    throw new UsageError('--project needs exactly one of --openai, --anthropic and --bedrock');
  }
  const projects = new Map<string, string>();
  for (const { platform, project: named } of billing) {
    const { name } = platform;
    const kind = parts.draft.platforms.find((each) => each.name === name)?.kind ?? 'openai';
    const problemOf = (id: string) => projectIdProblem(kind, id) ?? severalProblem(id);
    const told = options.project;
    const problem = told === undefined ? undefined : problemOf(told);
    if (problem !== undefined) throw new UsageError(`--project: ${problem}`);
    const id =
      told ??
      (named !== undefined && problemOf(named) === undefined
        ? named
        : await askForProject(context, options, { ...parts, platform, problemOf }));
    if (id !== undefined) projects.set(name, id);
  }
  return projects;
}

/** A repeated header's values are joined by commas. */
function severalProblem(id: string): string | undefined {
  return id.includes(',') ? `${JSON.stringify(id)} is several projects: name one` : undefined;
}

/** An empty answer leaves the project for later. */
async function askForProject(
  context: CommandContext,
  { yes }: InitOptions,
  parts: {
    readonly app: string;
    readonly platform: FirstPlatform;
    readonly problemOf: (id: string) => string | undefined;
  },
): Promise<string | undefined> {
  const { app, platform, problemOf } = parts;
  if (yes === true || context.ask === undefined) return undefined;
  const about = `The project on ${platform.name} that pays for ${app} (${platform.projectHint})`;
  for (;;) {
    const id = (await context.ask(`${about}; empty to bind it later: `)).trim();
    const problem = id === '' ? undefined : problemOf(id);
    if (problem === undefined) return id === '' ? undefined : id;
    context.warn(problem);
  }
}
