import { closeSync, openSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import process from 'node:process';
import { type Started, start } from '../../harness/process.ts';

/** PostgreSQL and PgBouncer refuse to run as root. */
export const nobody = 65_534;

/** Starts a program as a user without rights; its output goes to the end of `logFile`. */
export function startDaemon(parts: {
  readonly file: string;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly logFile: string;
}): Started {
  const { file, argv, folder, logFile } = parts;
  const log = openSync(logFile, 'a');
  const started = start(file, argv, {
    ...{ cwd: folder, uid: nobody, gid: nobody, stdio: ['ignore', log, log] },
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8' },
  });
  closeSync(log);
  return started;
}

/** The processes that work in a folder, for example those of one PostgreSQL. */
export async function processesIn(folder: string): Promise<readonly number[]> {
  const pids: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const at = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (at === folder) pids.push(Number(name));
  }
  return pids;
}

/** Kills processes at once; skips processes that have ended. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH';
      if (!hasEnded) throw error;
    }
  }
}
