import type { ProjectTags } from '../../platforms/billing/projects.ts';

/** What an app's project is found by in a platform's cost report. */
export function ownTags(line: { readonly app: string; readonly project: string }): ProjectTags {
  return { app: line.app, project: line.project };
}
