import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { launcher } from '@model-gateway/server/cli/launcher';

export interface ServerProcess {
  readonly url: string;
  pause(): void;
  resume(): void;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Resolves with its last output when it ends by itself. */
  readonly died: Promise<string>;
}

interface ProcessParts {
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** Throws with its last output on failure. */
export async function runCommand(
  commandLine: readonly string[],
  parts: ProcessParts,
): Promise<void> {
  const { child, ended, lastWords } = run(commandLine, parts);
  child.stdout.resume();
  const [code] = await ended;
  if (code !== 0) throw new Error(`${commandLine.join(' ')} ended with ${code}: ${lastWords()}`);
}

/**
 * Waits for the ready line with its URL; appends the log to `logFile`. Throws with its last output
 * if it ends.
 */
export async function startProcess(
  commandLine: readonly string[],
  parts: ProcessParts,
): Promise<ServerProcess> {
  const { child, ended, lastWords } = run(commandLine, parts);
  const url = await Promise.race([readyUrl(child), ended.then(() => undefined)]);
  if (url === undefined) throw new Error(`${commandLine.join(' ')} ended at once: ${lastWords()}`);
  let isStopping = false;
  return {
    url,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async end(signal) {
      isStopping = true;
      child.kill(signal);
      await ended;
    },
    died: new Promise((resolve) => {
      void ended.then(() => {
        if (!isStopping) resolve(lastWords());
      });
    }),
  };
}

function run(commandLine: readonly string[], { environment, logFile }: ProcessParts) {
  const child = spawn(process.execPath, [launcher, ...commandLine], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, ...process.env, MODEL_GATEWAY_LOG: 'error' },
  });
  child.stderr.pipe(createWriteStream(logFile, { flags: 'a' }));
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-2_000);
  });
  return { child, ended: once(child, 'exit'), lastWords: () => words };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /https?:\/\/\S+/.exec(line)?.[0];
      if (url !== undefined) resolve(url);
    });
  });
}
