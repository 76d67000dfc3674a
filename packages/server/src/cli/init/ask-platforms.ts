import type { Config } from '../../domain/config.ts';
import { baseUrlOf } from '../../domain/platform.ts';
import { projectIdProblem } from '../../domain/project-id.ts';
import { startTimeout } from '../../lib/deadline.ts';
import { AdminError } from '../../operations/context/admin-error.ts';
import { checkPlatform, type PlatformCheck } from '../../platforms/check-platform.ts';
import type { Platform } from '../../platforms/model/port.ts';
import { type CommandContext, UsageError } from '../process/context.ts';
import { withPlatforms } from '../process/platforms.ts';
import type { FirstPlatform } from './first-platforms.ts';
import type { InitOptions } from './new-file.ts';

export interface Answers {
  readonly platform: FirstPlatform;
  readonly needsProject: boolean;
  readonly check: PlatformCheck;
  /** Undefined if the platform did not list its models. */
  readonly models: readonly string[] | undefined;
  readonly project: string | undefined;
}

const answerMs = 10_000;

export async function askPlatforms(
  context: CommandContext,
  draft: Config,
  platforms: readonly FirstPlatform[],
): Promise<readonly Answers[]> {
  const timeout = startTimeout(context.clock, answerMs);
  try {
    return await withPlatforms(context, draft, (made) =>
      Promise.all(
        platforms.map((platform) => {
          const one = made.get(platform.name);
          if (one === undefined) throw new Error(`platform ${platform.name} was not created`);
          const config = draft.platforms.find(({ name }) => name === platform.name);
          const baseUrl = config && baseUrlOf(config);
          return answersOf(platform, { platform: one, baseUrl }, timeout.signal);
        }),
      ),
    );
  } finally {
    timeout.cancel();
  }
}

async function answersOf(
  platform: FirstPlatform,
  made: { readonly platform: Platform; readonly baseUrl: string | undefined },
  signal: AbortSignal,
): Promise<Answers> {
  const check = await checkPlatform({ ...made, expectedModels: [] }, signal);
  const { needsProject, listModels, keyProject } = made.platform;
  const works = check.state === 'works';
  const listed = works ? await listModels?.(signal) : undefined;
  const models = listed?.kind === 'listed' ? listed.models.filter(isChat) : undefined;
  const project = works ? await keyProject?.(signal) : undefined;
  return { platform, needsProject, check, models, project };
}

/** A server might also list embedding models. */
function isChat(id: string): boolean {
  return !/embed/i.test(id);
}

/** Throws for a rejected key, because the file would be useless. */
export function refuseKeys(answers: readonly Answers[]): void {
  const problems = answers
    .filter(({ check: { state } }) => state === 'unauthorized' || state === 'forbidden')
    .map(({ platform: { name, keyVariable }, check: { status, problem } }) =>
      keyVariable === undefined
        ? `${problem}; nothing was written`
        : `${name} rejects the key in ${keyVariable} (status ${status}); nothing was written. Set ${keyVariable} to a valid key`,
    );
  if (problems.length > 0) throw new AdminError(problems.join('\n'));
}

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
    throw new UsageError('--project requires exactly one of --openai, --anthropic and --bedrock');
  }
  const projects = new Map<string, string>();
  for (const { platform, project: named } of billing) {
    const { name } = platform;
    const kind = parts.draft.platforms.find((each) => each.name === name)?.kind ?? 'openai';
    const problemOf = (id: string) => projectIdProblem(kind, id) ?? severalProblem(id);
    const projectOption = options.project;
    const problem = projectOption === undefined ? undefined : problemOf(projectOption);
    if (problem !== undefined) throw new UsageError(`--project: ${problem}`);
    const id =
      projectOption ??
      (named !== undefined && problemOf(named) === undefined
        ? named
        : await askForProject(context, options, { ...parts, platform, problemOf }));
    if (id !== undefined) projects.set(name, id);
  }
  return projects;
}

/** Commas join the values of a repeated header. */
function severalProblem(id: string): string | undefined {
  return id.includes(',') ? `${JSON.stringify(id)} contains several projects; use one` : undefined;
}

/** After an empty answer the project can be set later. */
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
  const about = `Billing project of ${app} on ${platform.name} (${platform.projectHint})`;
  for (;;) {
    const id = (await context.ask(`${about}; empty to bind it later: `)).trim();
    const problem = id === '' ? undefined : problemOf(id);
    if (problem === undefined) return id === '' ? undefined : id;
    context.warn(problem);
  }
}
