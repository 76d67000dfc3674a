import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf, linksIn } from '../../../scripts/markdown/links.ts';

/** Files for operators; the documents that they link to are packed too. */
const operatorFiles = [
  ...['gateway.yaml', 'gateway.schema.json', 'docs/README.md', 'docs/alerts.yml'],
  ...['docs/grafana-dashboard.json', 'docs/model-gateway@.service', 'docs/openapi.json'],
];

/**
 * Copies them into the package's folder, at the same paths as in the repository. A link to a file
 * that is not packed, such as a test, becomes plain text.
 */
export function addOperatorFiles(folder: string, root: string): void {
  const documents = findDocuments(root);
  const packed = new Map(documents).set('README.md', readText(join(folder, 'README.md')));
  for (const [path, text] of documents) {
    const [place = ''] = path.split('/');
    if (!places.includes(place)) throw new Error(`operator-files.ts: add ${place} to places`);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (text === undefined) cpSync(join(root, path), join(folder, path));
    else writeFileSync(join(folder, path), withoutLooseLinks(text, path, packed));
  }
}

export function removeOperatorFiles(folder: string): void {
  for (const place of places) rmSync(join(folder, place), { recursive: true, force: true });
}

/** The roots of packed files; the package itself has none of these paths. */
const places = [
  ...['AGENTS.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['gateway.yaml', 'gateway.schema.json'],
  ...['benchmarks', 'checks', 'docs', 'examples', 'node_modules', 'packages'],
];

/** The paths that `files` of a manifest must name. */
export const packedPlaces = places.filter((place) => place !== 'node_modules');

/** Every file that the operator's files lead to, with its text if it is a document. */
function findDocuments(root: string): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const waiting = [...operatorFiles];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path) || !isPacked(root, path)) continue;
    const text = path.endsWith('.md') ? readText(join(root, path)) : undefined;
    found.set(path, text);
    waiting.push(...linksIn(text ?? '').map((link) => targetOf(link, path)));
  }
  return found;
}

/** Every file of `docs`, and documents elsewhere. Some in the root are the package's own. */
function isPacked(root: string, path: string): boolean {
  if (['README.md', 'CHANGELOG.md'].includes(path) || path.startsWith('..')) return false;
  const isDocument = /^docs\/|^gateway\.|\.md$/.test(path);
  return isDocument && statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
}

/** Replaces each link that leaves the package, or has no matching heading, with its text. */
function withoutLooseLinks(
  text: string,
  path: string,
  packed: ReadonlyMap<string, string | undefined>,
): string {
  return text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, shown, link) => {
    if (linksIn(whole).length === 0) return whole;
    const target = targetOf(link, path);
    const [, anchor] = link.split('#');
    const hasAnchor = anchor === undefined || anchorsOf(packed.get(target) ?? '').has(anchor);
    return packed.has(target) && hasAnchor ? whole : shown;
  });
}

/** The path of a link's target file. */
function targetOf(link: string, path: string): string {
  const [to = ''] = link.split('#');
  return to === '' ? path : join(dirname(path), to);
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Copies a package without files that no program reads. */
export function copyPackage(from: string, to: string): void {
  cpSync(from, to, { recursive: true, dereference: true, filter: isRead });
}

function isRead(path: string): boolean {
  return !/\.map$|\.[mc]?ts$|\/(docs|test|types)$/.test(path);
}
