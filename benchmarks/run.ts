import { writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startGenerator } from './load/generator.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { withScope } from './processes/scope.ts';
import { type Row, rowsOf } from './report/rows.ts';
import { tableHead, tableOf } from './report/table.ts';
import { type Effort, runScenario } from './rounds/run-scenario.ts';
import { allScenarios, quickScenarios } from './rounds/scenario.ts';
import { reference, sides } from './sides/all.ts';
import { direct } from './sides/direct.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string' },
  },
});

const runMsMax = 3_600_000;

const measureMs = Number(values.seconds ?? (values.quick ? 1 : 3)) * 1000;
const effort: Effort = {
  rounds: Number(values.rounds),
  firstWarmUpMs: values.quick ? 1_500 : 3_000,
  warmUpMs: values.quick ? 250 : 500,
  measureMs,
  repeatsMax: values.quick ? 2 : 2 * Number(values.rounds),
};
const scenarios = (values.quick ? quickScenarios : allScenarios).filter(({ name }) =>
  new RegExp(values.only).test(name),
);

const rows = await withScope(runMsMax, async (scope) => {
  const folder = makeDataFolder(scope);
  const generator = startGenerator(scope);
  const all: Row[] = [];
  print(`${machine()}; ${effort.rounds} rounds of ${measureMs / 1000} s\n\n${tableHead()}`);
  for (const [index, scenario] of scenarios.entries()) {
    const parts = { outer: scope, generator, sides, scenario, effort };
    const results = await runScenario({ ...parts, folder: join(folder, String(index)) });
    const found = rowsOf({ scenario, results, floor: reference.name, direct: direct.name });
    print(tableOf(found));
    all.push(...found);
  }
  return all;
});

if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ machine: machine(), effort, rows }, null, 2)}\n`);
}
process.exitCode = rows.some(({ failures }) => failures > 0) ? 1 : 0;

function machine(): string {
  const [first] = cpus();
  return `Node ${process.version}, ${cpus().length} × ${first?.model}, Linux ${release()}`;
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
