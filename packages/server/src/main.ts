import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { runCommand } from './cli/program.ts';
import { systemClock } from './lib/clock.ts';
import { createIds } from './lib/id.ts';

const closeMs = 1_000;

export async function main(commandLine: readonly string[]): Promise<void> {
  const clock = systemClock;
  let isService = false;
  process.stdout.on('error', () => {
    // A reader such as head closes the pipe early, and nothing reads any more.
    if (!isService) process.exit();
  });
  // The error cannot be reported anywhere, and the command continues.
  process.stderr.on('error', () => undefined);
  process.exitCode = await runCommand(commandLine, {
    clock,
    ids: createIds(clock),
    environment: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
    readStandardInput: async () => (await buffer(process.stdin)).toString('utf8'),
    ask: process.stdin.isTTY && process.stderr.isTTY ? promptOperator : undefined,
    becomeService() {
      isService = true;
    },
  });
  // A connection to an unavailable database, or a pipe without a reader, may stay open for long.
  if (isService) clock.after(closeMs, () => process.exit());
}

async function promptOperator(question: string): Promise<string> {
  // A late import, because most commands ask nothing.
  const { askTerminal } = await import('./cli/ask-terminal.ts');
  return askTerminal({ input: process.stdin, output: process.stderr }, question);
}
