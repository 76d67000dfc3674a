import { fileURLToPath } from 'node:url';

/** The path of a file of the benchmarks, for a command line. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
