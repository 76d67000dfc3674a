import { fileURLToPath } from 'node:url';

export function scriptPath(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
