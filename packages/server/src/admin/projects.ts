import type { PlatformConfig } from '../config/config.ts';
import { kindsWithoutProjects } from '../platforms/projects.ts';
import { appRow } from './apps.ts';
import { bindProject } from './bindings.ts';
import { type Office, OfficeError } from './office.ts';

/** Binds an app to an existing project of a platform. Throws an OfficeError when it cannot be. */
export async function bindExistingProject(
  office: Office,
  platforms: readonly PlatformConfig[],
  binding: { readonly app: string; readonly platform: string; readonly projectId: string },
): Promise<PlatformConfig> {
  if (!/^[\x21-\x7e]{1,256}$/.test(binding.projectId)) {
    throw new OfficeError(
      `${JSON.stringify(binding.projectId)} is no project id: it is sent as a header, so use 1–256 printable ASCII characters without spaces`,
      { isBadValue: true },
    );
  }
  await appRow(office, binding.app);
  const platform = platforms.find(({ name }) => name === binding.platform);
  if (platform === undefined) {
    const names = platforms.map(({ name }) => name).join(', ');
    throw new OfficeError(
      `there is no platform ${binding.platform}; the configuration has ${names}`,
    );
  }
  if (kindsWithoutProjects.includes(platform.kind)) {
    throw new OfficeError(
      `the platform ${platform.name} has no projects: its kind is ${platform.kind}, and its calls need none`,
    );
  }
  await bindProject(office, binding);
  return platform;
}
