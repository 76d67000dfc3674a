import type { Command } from 'commander';
import { AdminError } from '../admin/admin-error.ts';
import { forgetBindings } from '../admin/bindings.ts';
import type { AdminContext } from '../admin/context.ts';
import { type AppliedProject, applyProjects } from '../admin/project-apply.ts';
import { type PlannedProject, planProjects } from '../admin/project-plan.ts';
import { bindExistingProject } from '../admin/projects.ts';
import { type ProjectBinding, selectBindings } from '../registry/queries.ts';
import { type ChangeOptions, reasonOf, withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, tellDryRun, withDangerOptions } from './confirm.ts';
import { type CommandContext, type CommonOptions, readConfig, withApps } from './context.ts';
import { withBillingPlatforms } from './platforms.ts';
import { printDocument, tableLines } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `projects plan|apply|bind|destroy`: what each app is billed to. */
export function registerProjects(program: Command, context: CommandContext): void {
  const projects = program.command('projects').description('the billing projects of apps');
  withSharedOptions(
    projects.command('plan').description('show what apply would do, and change nothing'),
  ).action((_options: unknown, command: Command) =>
    plan(context, command.optsWithGlobals<CommonOptions>()),
  );
  withChangeOptions(
    projects.command('apply').description('create the projects that are missing, and bind them'),
  ).action((_options: unknown, command: Command) =>
    apply(context, command.optsWithGlobals<ChangeOptions>()),
  );
  withChangeOptions(
    projects
      .command('bind <app> <platform> <id>')
      .description('bill an app to a project that the platform has'),
  ).action(
    (app: string, platform: string, projectId: string, _options: unknown, command: Command) =>
      bind(context, { app, platform, projectId }, command.optsWithGlobals<ChangeOptions>()),
  );
  withDangerOptions(
    projects.command('destroy').description('forget every binding; the platforms keep theirs'),
  ).action((_options: unknown, command: Command) =>
    destroy(context, command.optsWithGlobals<DangerOptions>()),
  );
}

async function plan(context: CommandContext, options: CommonOptions) {
  const config = readConfig(context, options);
  const projects = await withBillingPlatforms(context, config, (platforms) =>
    withApps(context, config, (admin) => planProjects(admin, platforms)),
  );
  printDocument(context, options, projects, projectLines);
  const unknown = namesOf(projects, ({ state }) => state === 'unknown');
  if (unknown !== '') throw new AdminError(`the projects of ${unknown} are not known`);
}

async function apply(context: CommandContext, options: ChangeOptions) {
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const projects = await withBillingPlatforms(context, config, (platforms) =>
    withApps(context, config, (admin) => applyProjects(admin, platforms), reason),
  );
  printDocument(context, options, projects, projectLines);
  const left = namesOf(projects, ({ state }) => troubles.has(state));
  if (left !== '') {
    throw new AdminError(
      `not done: ${left}; the rest is, and "projects apply" may be repeated when the cause is gone`,
    );
  }
}

/** What apply could not do. What is to be bound by hand was never its to do. */
const troubles: ReadonlySet<string> = new Set(['archived', 'ambiguous', 'shared', 'failed']);

function namesOf<Line extends PlannedProject | AppliedProject>(
  projects: readonly Line[],
  isMeant: (line: Line) => boolean,
): string {
  return projects
    .filter(isMeant)
    .map(({ app, platform }) => `${app} on ${platform}`)
    .join(', ');
}

async function bind(context: CommandContext, binding: ProjectBinding, options: ChangeOptions) {
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const work = (admin: AdminContext) => bindExistingProject(admin, config.platforms, binding);
  const { kind } = await withApps(context, config, work, reason);
  if (kind === 'simulator') {
    context.warn(
      `a running service binds its own projects on the simulator ${binding.platform}, and will do so again`,
    );
  }
  printDocument(context, options, binding, ({ app, platform, projectId }) => [
    `Calls of ${app} on ${platform} are billed to the project ${projectId}.`,
  ]);
}

async function destroy(context: CommandContext, options: DangerOptions) {
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const work = async (admin: AdminContext) => {
    const bound = await admin.store.read(selectBindings);
    if (options.dryRun === true) {
      tellDryRun(context);
      return bound;
    }
    if (bound.length === 0) return [];
    const lines = [
      'This forgets which projects are billed, and calls that need one are refused from then on:',
      ...bindingLines(bound),
    ];
    await confirm(context, config, options, { command: 'projects destroy', lines });
    return forgetBindings(admin);
  };
  const forgotten = await withApps(context, config, work, reason);
  printDocument(context, options, { forgotten }, () =>
    forgotten.length === 0 ? ['There was no binding.'] : forgottenLines(forgotten),
  );
}

function forgottenLines(forgotten: readonly ProjectBinding[]): readonly string[] {
  return [
    ...bindingLines(forgotten),
    '',
    'The platforms keep every project. Calls that need one are refused until "projects apply"',
    'binds them again; a running service binds its simulators by itself.',
  ];
}

function bindingLines(bindings: readonly ProjectBinding[]): readonly string[] {
  const rows = bindings.map(({ app, platform, projectId }) => [app, platform, projectId]);
  return tableLines(['app', 'platform', 'forgotten id'], rows, '');
}

/** What each state says to people. */
const words: Record<PlannedProject['state'] | AppliedProject['state'], string> = {
  bound: 'bound',
  adopt: 'to adopt',
  create: 'to create',
  adopted: 'adopted',
  created: 'created',
  archived: 'ARCHIVED',
  ambiguous: 'AMBIGUOUS',
  shared: 'SHARED',
  'by-hand': 'bind by hand',
  unknown: 'UNKNOWN',
  failed: 'FAILED',
};

function projectLines(projects: readonly (PlannedProject | AppliedProject)[]): readonly string[] {
  return [
    ...tableLines(
      ['app', 'platform', 'project', 'state', 'id'],
      projects.map(({ app, platform, project, state, projectId }) => [
        app,
        platform,
        project,
        words[state],
        projectId ?? '-',
      ]),
      'No app is on a platform that bills by project.',
    ),
    ...noteLines(projects),
  ];
}

function noteLines(projects: readonly (PlannedProject | AppliedProject)[]): readonly string[] {
  const notes = projects.flatMap(({ app, platform, note }) =>
    note === null ? [] : [[app, platform, note]],
  );
  return notes.length === 0 ? [] : ['', ...tableLines(['app', 'platform', 'note'], notes, '')];
}
