import { packedPlaces } from './operator-files.ts';

/** The packages of a `package.json` that somebody else has written. */
export function foreignDependencies(source: string): readonly string[] {
  const { dependencies } = JSON.parse(source);
  return Object.keys(dependencies).filter((name) => !name.startsWith('@model-gateway/'));
}

/**
 * The published `package.json`: the built files, what they need from a registry and what they bring
 * along of it, the Node that runs them, as the repository itself brings it (ADR 0008).
 */
export function publishedManifest(
  source: string,
  root: string,
  bundled: readonly string[],
  gitHead: string | undefined,
): string {
  // A program: nothing imports it.
  const {
    exports: _,
    scripts: __,
    devDependencies: ___,
    dependencies,
    files,
    ...manifest
  } = JSON.parse(source);
  const { engines, optionalDependencies } = JSON.parse(root);
  const foreign = foreignDependencies(source);
  const published = {
    ...manifest,
    ...(gitHead !== undefined && { gitHead }),
    engines,
    files: [...files, ...packedPlaces],
    dependencies: Object.fromEntries(foreign.map((name) => [name, dependencies[name]])),
    bundleDependencies: foreign.filter((name) => bundled.includes(name)),
    optionalDependencies,
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}
