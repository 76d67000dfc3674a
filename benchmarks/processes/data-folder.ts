import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import process from 'node:process';
import type { Scope } from '../../harness/scope.ts';
import { scriptPath } from './script-path.ts';

/** The types of file systems in memory: tmpfs and ramfs. */
const memoryTypes = [0x01021994, 0x858458f6];

/** Makes an empty folder next to this code, on a disk; the scope removes it. */
export function makeDataFolder(scope: Scope): string {
  const folder = newDataFolder();
  scope.add(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes an empty folder next to this code, on a disk; the caller removes it. */
export function newDataFolder(): string {
  const parent = scriptPath('data');
  mkdirSync(parent, { recursive: true });
  if (isInMemory(parent)) {
    process.stderr.write(`${parent} is in memory: a commit costs nothing there\n`);
  }
  return mkdtempSync(`${parent}/run-`);
}

/** Whether a folder is in memory, where nothing is ever durable. */
export function isInMemory(folder: string): boolean {
  return memoryTypes.includes(statfsSync(folder).type);
}
