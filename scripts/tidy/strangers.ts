import type { Finding } from './finding.ts';
import type { Project } from './project.ts';

/** Text that belongs to one machine. */
const machine: readonly { readonly pattern: RegExp; readonly cure: string }[] = [
  {
    pattern: /(?<![\w.~-])\/(?:work|root|home\/[a-z]+)\//,
    cure: 'write the path from the repository’s root: this path belongs to one machine',
  },
  {
    pattern: /\b(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com)\b/,
    cure: 'name no package registry: each machine has its own',
  },
  {
    pattern: /"resolved": "https?:/,
    cure: 'lock without addresses: npm config set omit-lockfile-registry-resolved true',
  },
];

/** Paths of a machine and hosts of package registries, in any file. */
export function findForeignText({ files }: Project): readonly Finding[] {
  return files.flatMap(({ path, text }) =>
    machine.flatMap(({ pattern, cure }) => {
      const match = pattern.exec(text);
      if (match === null) return [];
      const line = text.slice(0, match.index).split('\n').length;
      return [{ path, line, rule: 'strangers', cure }];
    }),
  );
}
