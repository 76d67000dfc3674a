import process from 'node:process';
import { start } from '../../harness/process.ts';

/** What a command came to. */
export interface Came {
  readonly code: number;
  readonly printed: string;
}

/** A shell that goes on from one command to the next: its variables, folder and jobs stay. */
export interface Shell {
  run(command: string): Promise<Came>;
  /** What has been printed since the shell was opened, by commands and by jobs. */
  printed(): string;
  /** Ends it, and whatever it started. */
  close(): Promise<void>;
}

/** Opens `sh` in a folder. */
export function openShell(parts: { cwd: string; env: NodeJS.ProcessEnv }): Shell {
  // A group of its own, so that its end is the end of its jobs.
  const shell = start('sh', [], { ...parts, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const { child, stdout } = shell;
  // Errors among the rest, in the order in which they are printed.
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
