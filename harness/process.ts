import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import process from 'node:process';
import { until, waitMsMax } from './until.ts';

export interface Started {
  readonly child: ChildProcess;
  /** Its output so far. */
  stdout(): string;
  /** Its standard error so far. */
  stderr(): string;
  /** Its exit code, its signal, or why it did not start; by then all of its output is read. */
  readonly ended: Promise<number | string>;
  isRunning(): boolean;
  /** Waits until its output matches; fails if it ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end; kills the process if it ignores the signal. */
  end(signal?: NodeJS.Signals): Promise<number | string>;
}

export interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output and standard error together. */
  readonly output: string;
}

/** Node's own options, and: */
export interface Options extends SpawnOptions {
  /** Added to the environment of this process, or to `env`. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Standard input; empty by default. */
  readonly input?: string;
}

/** A program that runs longer hangs. */
const runMsMax = 900_000;

/** Starts a program; it ends with this process at the latest, unless it is detached. */
export function start(program: string, argv: readonly string[], options: Options = {}): Started {
  const { environment, input, env = process.env, ...others } = options;
  const child = spawn(program, argv, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...others,
    env: { ...env, ...environment },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  // A process that has ended reads no more; its end is in `ended`.
  child.stdin?.on('error', () => undefined);
  if (input !== undefined) child.stdin?.end(input);
  let code: number | string | undefined;
  let failure: NodeJS.ErrnoException | undefined;
  child.on('error', (error) => {
    failure = error;
    output.stderr += error.message;
  });
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (exitCode, signal) => {
      running.delete(child);
      code = failure?.code ?? exitCode ?? signal ?? 'unknown';
      resolve(code);
    });
  });
  if (options.detached !== true) endWithThis(child);
  const { stdout, stderr } = { stdout: () => output.stdout, stderr: () => output.stderr };
  const isRunning = () => code === undefined;
  return { child, stdout, stderr, ended, isRunning, printed, end };

  function printed(pattern: RegExp): Promise<RegExpExecArray> {
    const seen = () => `${program} ${argv.join(' ')}: ${stdout()}${stderr()}`;
    return until(
      () => {
        const match = pattern.exec(stdout()) ?? pattern.exec(stderr());
        if (match === null && !isRunning()) throw new Error(`it ended with ${code}: ${seen()}`);
        return match ?? undefined;
      },
      () => `${pattern} in the output of ${seen()}`,
    );
  }

  async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    if (isRunning()) child.kill(signal);
    const killer = setTimeout(() => child.kill('SIGKILL'), waitMsMax);
    await ended;
    clearTimeout(killer);
    return ended;
  }
}

const running = new Set<ChildProcess>();

function endWithThis(child: ChildProcess) {
  running.add(child);
  process.off('exit', killRunning).on('exit', killRunning);
}

function killRunning() {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs a program to its end. */
export async function endOf(
  program: string,
  argv: readonly string[],
  options: Options = {},
): Promise<Ended> {
  const started = start(program, argv, { timeout: runMsMax, ...options });
  const code = await started.ended;
  const [stdout, stderr] = [started.stdout(), started.stderr()];
  return { code, stdout, stderr, output: stdout + stderr };
}

/** Runs a program to its end and returns its output; any exit code but 0 is an error. */
export async function run(
  program: string,
  argv: readonly string[],
  options: Options = {},
): Promise<string> {
  const result = await endOf(program, argv, options);
  if (result.code === 0) return result.stdout;
  const { code, output } = result;
  const message = `${program} ${argv.join(' ')} ended with ${code}: ${output}`;
  throw Object.assign(new Error(message), result);
}

/** Whether a program is there and runs. */
export async function runs(program: string, argv: readonly string[]): Promise<boolean> {
  return (await endOf(program, argv)).code === 0;
}

/** The environment of an operator's shell: npm might have started this process. */
export function withoutNpm(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !/^npm_/i.test(name)));
}
