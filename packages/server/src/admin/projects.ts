import type { PlatformConfig } from '../domain/platform.ts';
import { kindsWithoutProjects, projectIdPattern } from '../platforms/projects.ts';
import { AdminError } from './admin-error.ts';
import { appRow } from './apps.ts';
import { bindProject } from './bindings.ts';
import type { AdminContext } from './context.ts';
import { refuseDefault } from './own-projects.ts';

/** Calls with an id of another form may be billed to the default project. */
const mantleProjectPattern = /^proj_[A-Za-z0-9]+$/;

/** Binds an app to an existing project of a platform. Throws an AdminError when it cannot be. */
export async function bindExistingProject(
  context: AdminContext,
  platforms: readonly PlatformConfig[],
  binding: { readonly app: string; readonly platform: string; readonly projectId: string },
): Promise<PlatformConfig> {
  if (!projectIdPattern.test(binding.projectId)) {
    throw new AdminError(
      `${JSON.stringify(binding.projectId)} is no project id: it is sent as a header, so use 1–256 printable ASCII characters without spaces`,
      { isBadValue: true },
    );
  }
  await appRow(context, binding.app);
  const platform = platforms.find(({ name }) => name === binding.platform);
  if (platform === undefined) {
    const names = platforms.map(({ name }) => name).join(', ');
    throw new AdminError(
      `there is no platform ${binding.platform}; the configuration has ${names}`,
    );
  }
  if (kindsWithoutProjects.includes(platform.kind)) {
    throw new AdminError(
      `the platform ${platform.name} has no projects: its kind is ${platform.kind}, and its calls need none`,
    );
  }
  refuseDefault(binding.projectId);
  if (platform.kind === 'bedrock-mantle' && !mantleProjectPattern.test(binding.projectId)) {
    throw new AdminError(
      `${binding.projectId} is no id of a project on ${platform.name}: they begin with proj_, as "projects plan" shows them; a name is not an id`,
      { isBadValue: true },
    );
  }
  await bindProject(context, binding);
  return platform;
}
