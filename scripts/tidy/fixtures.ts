import { dirname } from 'node:path/posix';
import type { Finding } from './finding.ts';
import type { Project } from './project.ts';

/** Recorded bodies without a note of the place and the time of recording. */
export function findFixtures(project: Project): readonly Finding[] {
  return project.files.flatMap(({ path }) => {
    const isFixture = /\/test\/fixtures\//.test(path) && !path.endsWith('.md');
    if (!isFixture || isExplained(path, project)) return [];
    const cure = 'write a README.md next to it: where and when it was recorded';
    return [{ path, line: 1, rule: 'fixtures', cure }];
  });
}

function isExplained(path: string, project: Project): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return project.text(`${dirname(path)}/README.md`)?.includes(name) === true;
}
