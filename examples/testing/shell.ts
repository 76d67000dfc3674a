import process from 'node:process';
import { start } from '../../harness/process.ts';

/** The result of a command. */
export interface Came {
  readonly code: number;
  readonly printed: string;
}

/** A shell that continues from one command to the next: its variables, folder and jobs stay. */
export interface Shell {
  run(command: string): Promise<Came>;
  /** The output since the shell was opened, of commands and of jobs. */
  printed(): string;
  /** Ends it, and everything that it started. */
  close(): Promise<void>;
}

export function openShell(parts: { cwd: string; env: NodeJS.ProcessEnv }): Shell {
  // A separate group, so ending it also ends its jobs.
  const shell = start('sh', [], { ...parts, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const { child, stdout } = shell;
  // Errors in the same stream, to keep the order of all lines.
  child.stdin?.write('exec 2>&1\n');
  let count = 0;
  return { run, printed: () => stdout().replaceAll(/<ended \d+ \d+>/g, ''), close };

  async function run(command: string): Promise<Came> {
    const from = stdout().length;
    count += 1;
    child.stdin?.write(`${command}\necho "<ended ${count} $?>"\n`);
    const match = await shell.printed(new RegExp(`<ended ${count} (\\d+)>\\n`));
    return { code: Number(match[1]), printed: stdout().slice(from, match.index) };
  }

  async function close() {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended already.
    }
    await shell.ended;
  }
}
