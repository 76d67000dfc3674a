import { readFileSync } from 'node:fs';

export function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  const manifest: { version?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return typeof manifest.version === 'string' ? manifest.version : '0.0.0';
}
