import type { Command } from 'commander';
import { AdminError } from '../operations/admin-error.ts';
import {
  forgetBindings,
  listBindings,
  type ProjectBinding,
} from '../operations/projects/bindings.ts';
import { bindingLines, forgottenLines, projectLines } from '../operations/projects/lines.ts';
import { type AppliedProject, applyProjects } from '../operations/projects/project-apply.ts';
import { type PlannedProject, planProjects } from '../operations/projects/project-plan.ts';
import { bindExistingProject } from '../operations/projects/projects.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, warnOfDryRun, withDangerOptions } from './confirm.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { withBillingPlatforms } from './platforms.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

/** `projects plan|apply|bind|destroy`: what each app is billed to. */
export function registerProjects(program: Command, context: CommandContext): void {
  const projects = program.command('projects').description('the billing projects of apps');
  withSharedOptions(
    projects.command('plan').description('show what apply would do; changes nothing'),
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
      .description('bill an app to an existing project of the platform'),
  ).action(
    (app: string, platform: string, projectId: string, _options: unknown, command: Command) =>
      bind(context, { app, platform, projectId }, command.optsWithGlobals<ChangeOptions>()),
  );
  withDangerOptions(
    projects
      .command('destroy')
      .description('forget every binding; the platforms keep the projects'),
  ).action((_options: unknown, command: Command) =>
    destroy(context, command.optsWithGlobals<DangerOptions>()),
  );
}

async function plan(context: CommandContext, options: CommonOptions) {
  const projects = await onApps(
    context,
    options,
    (admin, config) =>
      withBillingPlatforms(context, config, (platforms) => planProjects(admin, platforms)),
    { parts: ['platforms'] },
  );
  printDocument(context, options, projects, projectLines);
  const unknown = namesOf(projects, ({ state }) => state === 'unknown');
  if (unknown !== '') throw new AdminError(`the projects of ${unknown} are not known`);
}

async function apply(context: CommandContext, options: ChangeOptions) {
  const projects = await onApps(
    context,
    options,
    (admin, config) =>
      withBillingPlatforms(context, config, (platforms) => applyProjects(admin, platforms)),
    { parts: ['platforms'] },
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
  const { kind } = await onApps(
    context,
    options,
    (admin, config) => bindExistingProject(admin, config.catalog.platforms, binding),
    { parts: ['catalog'] },
  );
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
  const forgotten = await onApps(context, options, async (admin, config) => {
    const bound = await listBindings(admin);
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return bound;
    }
    if (bound.length === 0) return [];
    const lines = [
      'This forgets which projects are billed, and calls that need one are refused from then on:',
      ...bindingLines(bound),
    ];
    await confirm(context, config, options, { command: 'projects destroy', lines });
    return forgetBindings(admin);
  });
  printDocument(context, options, { forgotten }, () => forgottenLines(forgotten));
}
