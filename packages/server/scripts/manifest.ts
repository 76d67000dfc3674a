import { packedPlaces } from './operator-files.ts';

/** The packages of an external `package.json`. */
export function foreignDependencies(source: string): readonly string[] {
  const { dependencies } = JSON.parse(source);
  return Object.keys(dependencies).filter((name) => !name.startsWith('@model-gateway/'));
}

/**
 * The published `package.json`: the built files, the packages from a registry and the bundled ones.
 * It names the Node that runs them, as in the repository itself (ADR 0008).
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
