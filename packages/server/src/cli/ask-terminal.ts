import type { Readable, Writable } from 'node:stream';

/**
 * Ctrl-C and Ctrl-D return an empty line. `output` is standard error, because standard output
 * contains only the command's document.
 */
export async function askTerminal(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  question: string,
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input, output });
  const canceled = new Promise<string>((resolve) => {
    terminal.once('SIGINT', () => resolve(''));
    terminal.once('close', () => resolve(''));
  });
  try {
    return await Promise.race([terminal.question(question), canceled]);
  } finally {
    terminal.close();
  }
}
