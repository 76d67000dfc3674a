import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

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
  const child = spawn('sh', [], { ...parts, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
  }
  // What a dead shell cannot read is told by `run`, which waits for an answer.
  child.stdin.on('error', () => undefined);
  // Errors among the rest, in the order in which they are printed.
  child.stdin.write('exec 2>&1\n');
  let count = 0;
  return { run, printed: () => text.replaceAll(/<ended \d+ \d+>/g, ''), close };

  async function run(command: string): Promise<Came> {
    const from = text.length;
    count += 1;
    child.stdin.write(`${command}\necho "<ended ${count} $?>"\n`);
    const mark = new RegExp(`<ended ${count} (\\d+)>\\n`);
    for (;;) {
      const found = mark.exec(text.slice(from));
      if (found !== null) {
        return { code: Number(found[1]), printed: text.slice(from, from + found.index) };
      }
      if (child.exitCode !== null) throw new Error(`the shell ended in: ${command}\n${text}`);
      await Promise.race([once(child.stdout, 'data'), ended]);
    }
  }

  async function close() {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended already.
    }
    await ended;
  }
}
