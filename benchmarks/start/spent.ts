import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** The shell's own account of a command and all that it waited for, user and kernel, in ms. */
const script = `TIMEFORMAT='%3U %3S'
{ time "$0" "$@" >/dev/null 2>&3; } 3>&2 2>&4; exit $?`;

/** What a command took. */
export interface Spent {
  /** Processor time of its whole tree of processes. */
  readonly cpuMs: number;
  readonly exitCode: number | null;
  /** Its standard error. */
  readonly errors: string;
}

/** Runs Node with these words, waits for its end, and reads what the system has counted. */
export function spentBy(words: readonly string[], folder: string): Spent {
  const ran = spawnSync('bash', ['-c', script, process.execPath, ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'],
    timeout: 120_000,
  });
  const [, user, system] = /^([\d.]+) ([\d.]+)$/m.exec(ran.output[4] ?? '') ?? [];
  if (user === undefined || system === undefined) throw new Error(`no times: ${ran.stderr}`);
  return {
    cpuMs: (Number(user) + Number(system)) * 1_000,
    exitCode: ran.status,
    errors: ran.stderr,
  };
}
