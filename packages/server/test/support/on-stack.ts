import { openStack, type Stack, type StackOptions } from './stack.ts';

/** The body of a test, on its own stack that is closed at its end. */
export function onStack<Row extends readonly unknown[]>(
  run: (stack: Stack, ...row: Row) => Promise<void>,
  options: StackOptions = {},
): (...row: Row) => Promise<void> {
  return async (...row) => {
    const stack = await openStack(options);
    try {
      await run(stack, ...row);
    } finally {
      await stack.close();
    }
  };
}
