/**
 * The published `package.json`: the built files, what they need from a registry, and the Node that
 * runs them, as the repository itself brings it (ADR 0008).
 */
export function publishedManifest(source: string, root: string): string {
  const { scripts: _, devDependencies: __, dependencies, ...manifest } = JSON.parse(source);
  const { engines, optionalDependencies } = JSON.parse(root);
  const others = Object.entries(dependencies).filter(
    ([name]) => !name.startsWith('@model-gateway/'),
  );
  const published = {
    ...manifest,
    engines,
    dependencies: Object.fromEntries(others),
    optionalDependencies,
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}
