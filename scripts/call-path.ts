import process from 'node:process';
import { measureCallPath } from './call-path/measure.ts';

// Prints the way of a chat; `--list` writes all entered functions, in order.

const { stack, entered, functions, times, fileChanges, roomChanges } = await measureCallPath();
if (process.argv.includes('--list')) process.stdout.write(`${entered.join('\n')}\n\n`);
process.stdout.write(`${stack.join('\n')}\n\n`);
process.stdout.write(`on the stack to the platform's socket: ${stack.length}\n`);
process.stdout.write(`entered: ${functions} functions, ${times} times\n`);
process.stdout.write(`changes of file: ${fileChanges}, of room: ${roomChanges}\n`);
