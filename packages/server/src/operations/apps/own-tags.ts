import type { ProjectTags } from '../../platforms/billing/projects.ts';

/** Cost reports identify an app's project by these. */
export function ownTags(line: { readonly app: string; readonly project: string }): ProjectTags {
  return { app: line.app, project: line.project };
}
