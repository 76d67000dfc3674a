import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { withScope } from '../harness/scope.ts';
import { startGenerator } from './load/generator.ts';
import { cannotRun } from './others/cannot-run.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { describeMachine } from './report/machine.ts';
import { notRunText } from './report/not-run.ts';
import { type Row, rowsOf } from './report/rows.ts';
import { tableHead, tableOf } from './report/table.ts';
import { type Effort, type NotRun, runScenario } from './rounds/run-scenario.ts';
import { allScenarios, quickScenarios } from './rounds/scenario.ts';
import { reference, sides } from './sides/all.ts';
import { direct } from './sides/direct.ts';
import { prepareSides } from './sides/prepare.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    sides: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string' },
    repeats: { type: 'string' },
  },
});

const runMsMax = 5_400_000;

const measureMs = Number(values.seconds ?? (values.quick ? 0.8 : 2)) * 1000;
const effort: Effort = {
  rounds: Number(values.rounds),
  firstWarmUpMs: values.quick ? 3_000 : 12_000,
  warmUpMs: values.quick ? 200 : 400,
  measureMs,
  repeatsMax: Number(values.repeats ?? (values.quick ? 4 : 2 * Number(values.rounds))),
};
const scenarios = (values.quick ? quickScenarios : allScenarios).filter(({ name }) =>
  new RegExp(values.only).test(name),
);
const chosenSides = sides.filter(({ name }) => new RegExp(values.sides).test(name));
if (scenarios.length === 0 || chosenSides.length === 0) {
  throw new Error('--only and --sides leave nothing to run');
}

const { ready, notRun } = await prepareSides(chosenSides);
const { machine, rows, notStarted } = await withScope(runMsMax, async (scope) => {
  const folder = makeDataFolder(scope);
  const generator = startGenerator(scope);
  const all: Row[] = [];
  const absent: NotRun[] = [];
  const described = describeMachine(folder);
  print(`${described}; ${effort.rounds} rounds of ${measureMs / 1000} s\n\n${tableHead()}`);
  for (const [index, scenario] of scenarios.entries()) {
    const parts = { outer: scope, generator, scenario, effort, folder: join(folder, `${index}`) };
    const taking = ready.filter((side) => side.isIn?.(scenario) ?? true);
    const { results, notStarted } = await runScenario({ ...parts, sides: taking });
    const rows = rowsOf({ scenario, results, floor: reference.name, direct: direct.name });
    print(tableOf(rows));
    all.push(...rows);
    absent.push(...notStarted);
  }
  return { machine: described, rows: all, notStarted: absent };
});

const absent = [...notRun, ...notStarted, ...cannotRun];
print(notRunText(absent));
if (values.json !== undefined) {
  const report = { machine, effort, rows, notRun: absent };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}
// A side that this machine cannot run is only reported; an installed side that did not start has
// failed.
const hasFailed = rows.some(({ failures }) => failures > 0) || notStarted.length > 0;
process.exitCode = hasFailed ? 1 : 0;

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
