import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { runCommand } from './cli/program.ts';
import { systemClock } from './lib/clock.ts';
import { createIds } from './lib/id.ts';

/** The process: runs one command with the machine's clock, and sets the exit code. */
export async function main(commandLine: readonly string[]): Promise<void> {
  const clock = systemClock;
  // A reader that has seen enough, such as head, closes the pipe: nothing reads on.
  process.stdout.on('error', () => process.exit());
  process.exitCode = await runCommand(commandLine, {
    clock,
    ids: createIds(clock),
    environment: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
    readStandardInput: async () => (await buffer(process.stdin)).toString('utf8'),
    ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  });
}

async function ask(question: string): Promise<string> {
  // Only now: most commands ask nothing.
  const { askTerminal } = await import('./cli/ask-terminal.ts');
  return askTerminal({ input: process.stdin, output: process.stderr }, question);
}
