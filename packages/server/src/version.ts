import { readFileSync } from 'node:fs';
import { isRecord } from './lib/json-value.ts';

export function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const version = isRecord(manifest) ? manifest.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
