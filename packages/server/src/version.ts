import { readFileSync } from 'node:fs';

export function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion && typeof manifest.version === 'string' ? manifest.version : '0.0.0';
}
