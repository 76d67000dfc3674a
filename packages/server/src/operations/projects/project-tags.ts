import { type Project, ProjectsError } from '../../platforms/billing/projects.ts';
import type { Platform } from '../../platforms/model/port.ts';
import { ownTags } from '../apps/own-tags.ts';
import type { AppliedProject } from '../documents/projects.ts';

/** Older projects; created ones have their tags. */
const olderStates: ReadonlySet<string> = new Set(['bound', 'adopted']);

/** Only where the platform has tags. A project that cannot be tagged stays bound, with a note. */
export async function tagProjects(
  platforms: ReadonlyMap<string, Platform>,
  applied: readonly AppliedProject[],
): Promise<readonly AppliedProject[]> {
  const listed = new Map<string, ReadonlyMap<string, Project>>();
  // Each further question to a platform that is away would wait as long as the one before.
  const failed = new Set(
    applied.filter(({ state }) => state === 'failed').map(({ platform }) => platform),
  );
  const tagged: AppliedProject[] = [];
  for (const line of applied) {
    const projects = platforms.get(line.platform)?.projects;
    const isOlder = olderStates.has(line.state) && line.note === null && !failed.has(line.platform);
    if (projects?.tag === undefined || !isOlder) {
      tagged.push(line);
      continue;
    }
    try {
      const all = listed.get(line.platform) ?? byId(await projects.list());
      listed.set(line.platform, all);
      const project = all.get(line.projectId ?? '');
      if (project !== undefined && lacks(project, line)) {
        await projects.tag(project.id, ownTags(line));
      }
      tagged.push(line);
    } catch (error) {
      if (!(error instanceof ProjectsError)) throw error;
      failed.add(line.platform);
      tagged.push({ ...line, note: `its tags are not set: ${error.message}` });
    }
  }
  return tagged;
}

function byId(projects: readonly Project[]): ReadonlyMap<string, Project> {
  return new Map(projects.map((project) => [project.id, project]));
}

/** Tags that are not listed are unknown. */
function lacks({ tags }: Project, line: AppliedProject): boolean {
  if (tags === undefined) return false;
  return Object.entries(ownTags(line)).some(([name, value]) => tags[name] !== value);
}
