import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The static checks. A lane runs its commands in turn; the lanes run at the same time. */
const lanes = [
  ['tsc --noEmit', 'tsc --noEmit -p benchmarks', 'tsc --noEmit -p packages/console'],
  ['biome check .', 'knip --no-progress', 'node scripts/tidy.ts'],
];

/** Runs a command to its end, then prints its output at once: lanes must not mix their lines. */
async function run(command: string): Promise<boolean> {
  const start = performance.now();
  const child = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'} ${command}, ${seconds} s\n${output}`);
  return code === 0;
}

async function runLane(commands: readonly string[]): Promise<boolean> {
  let isGood = true;
  for (const command of commands) isGood = (await run(command)) && isGood;
  return isGood;
}

const results = await Promise.all(lanes.map(runLane));
process.exitCode = results.every(Boolean) ? 0 : 1;
