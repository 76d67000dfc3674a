import type { Finding } from './finding.ts';
import type { Project } from './project.ts';

const magnets = 'utils?|helpers?|common|managers?|misc';

/** `service` has no meaning by itself; in `403-no-service` it is the name of an error. */
const forbidden = new RegExp(`^((.*-)?(${magnets})|services?)$`);

/** Files and folders whose names mean nothing. */
export function findNames({ files }: Project): readonly Finding[] {
  return files.flatMap(({ path }) => {
    const parts = path.split('/');
    const findings: Finding[] = [];
    for (const part of parts) {
      const stem = part.split('.')[0] ?? '';
      if (forbidden.test(stem)) {
        const cure = `name ${part} after the one thing it does`;
        findings.push({ path, line: 1, rule: 'names', cure });
      }
    }
    return findings;
  });
}
