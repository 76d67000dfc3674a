import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import process from 'node:process';
import { run } from '../harness/process.ts';
import { newDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import type { SizeResult } from './registry/one-size.ts';
import { describeMachine } from './report/machine.ts';

// Measures the startup of a registry with many keys. Then measures what a change of one key blocks:
// the thread that commits, and the event loop that serves callers.

const sizes = [1_000, 20_000, 100_000];
const aimMs = 20;

const folder = newDataFolder();
console.log(describeMachine(folder));
rmSync(folder, { recursive: true });
for (const size of sizes) {
  const stdout = await run(process.execPath, [scriptPath('registry/one-size.ts'), `${size}`]);
  const result: SizeResult = JSON.parse(stdout);
  print(result);
  const stopMs = Math.max(result.transactionMs, result.changeTurnMs);
  if (stopMs > aimMs) {
    console.log(`  missed: the longest stop is ${stopMs.toFixed(1)} ms (aim ${aimMs})`);
    process.exitCode = 1;
  }
}
console.log(
  `load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
);

function print(result: SizeResult): void {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(`${result.keys} keys`);
  console.log(`  startup: ${ms(result.startMs)}, longest turn ${ms(result.startTurnMs)}`);
  console.log(`  memory: ${result.memoryMb.toFixed(0)} MB more than before`);
  console.log(
    `  a key issued: longest transaction ${ms(result.transactionMs)}, ` +
      `longest turn ${ms(result.changeTurnMs)}`,
  );
  console.log(
    `  all rows read again: ${ms(result.reloadMs)}, longest turn ${ms(result.reloadTurnMs)}`,
  );
}
