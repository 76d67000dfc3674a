import type { Command } from 'commander';
import { bindExistingProject } from '../admin/projects.ts';
import { type CommonOptions, readConfig, type Shell, withApps } from './context.ts';
import { printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `projects bind APP PLATFORM ID`. */
export function registerProjects(program: Command, shell: Shell): void {
  const projects = program.command('projects').description('the billing projects of apps');
  withSharedOptions(
    projects
      .command('bind <app> <platform> <id>')
      .description('bill an app to a project that the platform has'),
  ).action(
    (app: string, platform: string, projectId: string, _options: unknown, command: Command) =>
      bind(shell, { app, platform, projectId }, command.optsWithGlobals<CommonOptions>()),
  );
}

interface Binding {
  readonly app: string;
  readonly platform: string;
  readonly projectId: string;
}

async function bind(shell: Shell, binding: Binding, options: CommonOptions) {
  const config = readConfig(shell, options);
  const { kind } = await withApps(shell, config, (office) =>
    bindExistingProject(office, config.platforms, binding),
  );
  if (kind === 'simulator') {
    shell.warn(
      `a running service binds its own projects on the simulator ${binding.platform}, and will do so again`,
    );
  }
  printDocument(shell, options, binding, ({ app, platform, projectId }) => [
    `Calls of ${app} on ${platform} are billed to the project ${projectId}.`,
  ]);
}
