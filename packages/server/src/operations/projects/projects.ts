import type { PlatformFacts } from '../../domain/platform.ts';
import { kindsWithoutProjects, projectIdProblem } from '../../domain/project-id.ts';
import { orNearest } from '../../lib/nearest.ts';
import { AdminError } from '../admin-error.ts';
import { appRow } from '../apps/apps.ts';
import type { AdminContext } from '../context.ts';
import { bindProject } from './bindings.ts';

/** Binds an app to an existing project of a platform. Throws an AdminError when it cannot be. */
export async function bindExistingProject(
  context: AdminContext,
  platforms: readonly PlatformFacts[],
  binding: { readonly app: string; readonly platform: string; readonly projectId: string },
): Promise<PlatformFacts> {
  await appRow(context, binding.app);
  const platform = platforms.find(({ name }) => name === binding.platform);
  if (platform === undefined) {
    const names = orNearest(
      binding.platform,
      platforms.map(({ name }) => name),
    );
    throw new AdminError(
      `there is no platform ${binding.platform}; the configuration has ${names}`,
      { isUnknown: true },
    );
  }
  if (kindsWithoutProjects.includes(platform.kind)) {
    throw new AdminError(
      `the platform ${platform.name} has no projects: its kind is ${platform.kind}, and its calls need none`,
    );
  }
  const problem = projectIdProblem(platform.kind, binding.projectId);
  if (problem !== undefined) throw new AdminError(problem, { isBadValue: true });
  await bindProject(context, binding);
  return platform;
}
