import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const commandMs = 900_000;

/** Runs a program to its end and answers what it printed; rejects with its own words. */
export async function run(
  file: string,
  argv: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { stdout } = await execute(file, [...argv], {
    ...{ ...options, timeout: commandMs, maxBuffer: 64 * 1024 * 1024 },
    env: { ...process.env, ...options.env },
  });
  return stdout;
}

/** Whether a program is there and runs. */
export async function runs(file: string, argv: readonly string[]): Promise<boolean> {
  try {
    await run(file, argv);
    return true;
  } catch {
    // It is not there, or lacks a library.
    return false;
  }
}

/** What a program ends with, and all that it said. */
export async function endOf(
  file: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: commandMs, cwd };
    execFile(file, [...argv], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, said: `${stdout}${stderr}` });
    });
  });
}
