import { dirname, join } from 'node:path/posix';
import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { stringOf } from './source.ts';

/** Files of a package's source that nothing imports and that no package.json names. */
export function findUnused(project: Project): readonly Finding[] {
  const used = new Set([...namedInSources(project), ...namedInPackages(project)]);
  return project.sources.flatMap(({ path }) => {
    if (!/^packages\/[^/]+\/src\//.test(path) || path.endsWith('.d.ts') || used.has(path))
      return [];
    return [{ path, line: 1, rule: 'unused', cure: 'import it or delete it: nothing uses it' }];
  });
}

/** Imports, and whatever else looks like a path from the file: a worker's, a launcher's. */
function namedInSources({ sources }: Project): readonly string[] {
  return sources.flatMap((source) =>
    source.nodes.flatMap(({ node }) => {
      const text = stringOf(node);
      const exported = /^@model-gateway\/server\/(.+)$/.exec(text ?? '');
      if (exported !== null) return [`packages/server/src/${exported[1]}.ts`];
      if (text === undefined || !/^\.{1,2}\//.test(text)) return [];
      return [join(dirname(source.path), text)];
    }),
  );
}

function namedInPackages({ files }: Project): readonly string[] {
  return files.flatMap(({ path, text }) => {
    if (!path.endsWith('package.json')) return [];
    const names = [...text.matchAll(/"(?:\.\/)?([\w./-]+\.[mc]?[jt]s)"/g)];
    return names.map((match) => join(dirname(path), match[1] ?? ''));
  });
}
