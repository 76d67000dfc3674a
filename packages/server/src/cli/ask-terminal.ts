import type { Readable, Writable } from 'node:stream';

/**
 * Asks for a line; after Ctrl-C or Ctrl-D nothing was typed. The question goes to
 * `output`, which is standard error: standard output has the command's document alone.
 */
export async function askTerminal(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  question: string,
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input, output });
  const left = new Promise<string>((resolve) => {
    terminal.once('SIGINT', () => resolve(''));
    terminal.once('close', () => resolve(''));
  });
  try {
    return await Promise.race([terminal.question(question), left]);
  } finally {
    terminal.close();
  }
}
