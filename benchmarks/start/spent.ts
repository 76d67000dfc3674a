import process from 'node:process';
import { endOf } from '../../harness/process.ts';

/** The shell's own accounting of a command and all that it waited for, user and kernel, in ms. */
const script = `TIMEFORMAT='%3U %3S'
{ time "$0" "$@" >/dev/null 2>&3; } 3>&2 2>&1; exit $?`;

/** The result of a command. */
export interface Spent {
  /** Processor time of its whole tree of processes. */
  readonly cpuMs: number;
  readonly exitCode: number | string;
  readonly errors: string;
}

/** Runs Node with these arguments to its end, and reads the system's accounting. */
export async function spentBy(words: readonly string[], folder: string): Promise<Spent> {
  const argv = ['-c', script, process.execPath, ...words];
  const { code, stdout, stderr } = await endOf('bash', argv, { cwd: folder });
  const [, user, system] = /^([\d.]+) ([\d.]+)$/m.exec(stdout) ?? [];
  if (user === undefined || system === undefined) throw new Error(`no times: ${stderr}`);
  return {
    cpuMs: (Number(user) + Number(system)) * 1_000,
    exitCode: code,
    errors: stderr,
  };
}
