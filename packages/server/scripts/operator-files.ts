import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What an operator needs beside the program, by its place in the repository and in the package. */
const operatorFiles = [
  ...['gateway.yaml', 'gateway.schema.json'],
  ...['alerts.yml', 'grafana-dashboard.json', 'model-gateway@.service', 'openapi.json'],
  ...['api.md', 'cli.md', 'configuration.md', 'errors.md', 'ledger.md', 'monitoring.md'],
  ...['operations.md', 'security.md'],
].map((name) => (name.startsWith('gateway.') ? name : join('docs', name)));

/** Puts them into the package's folder, which has none of these places of its own. */
export function addOperatorFiles(folder: string, root: string): void {
  for (const place of operatorFiles) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    copyFileSync(join(root, place), join(folder, place));
  }
}

/** Takes them, and what was bundled, out again. */
export function removeOperatorFiles(folder: string): void {
  for (const place of ['gateway.yaml', 'gateway.schema.json', 'docs', 'node_modules']) {
    rmSync(join(folder, place), { recursive: true, force: true });
  }
}

/** Copies a package without what no program reads. */
export function copyPackage(from: string, to: string): void {
  cpSync(from, to, { recursive: true, dereference: true, filter: isRead });
}

function isRead(path: string): boolean {
  return !/\.map$|\.[mc]?ts$|\/(docs|test|types)$/.test(path);
}
