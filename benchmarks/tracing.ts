import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { microsOfBlock } from './load/block.ts';
import type { Target } from './load/job.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { median } from './report/rows.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';
import { microsOfBegin } from './tracing/begin.ts';

// Measures the processor time of traces for each call: services that differ only in `tracing`,
// called in blocks that take turns, so other work on the machine affects all of them.

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '60' },
    calls: { type: 'string', default: '400' },
  },
});
const blocks = Number(values.blocks);
const calls = Number(values.calls);
/** Blocks that compile the code of all; they are not counted. */
const lead = 10;

const id = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

/** A service, and the headers of its callers. */
interface Variant {
  readonly name: string;
  /** Undefined for a service without `tracing`. */
  readonly sample: number | undefined;
  readonly traceparent: string | undefined;
  /** Its maximum overhead in µs; undefined without an aim. */
  readonly aim: number | undefined;
}

const plain: Variant = {
  ...{ name: 'off', sample: undefined, traceparent: undefined, aim: undefined },
};
const variants: readonly Variant[] = [
  { ...plain, name: 'off, callers with a trace', traceparent: `${id}-01`, aim: 2 },
  { name: 'on, callers whose trace is not sampled', sample: 1, traceparent: `${id}-00`, aim: 2 },
  { ...plain, name: 'on, 1 % sampled', sample: 0.01, aim: 15 },
  { ...plain, name: 'on, all sampled', sample: 1 },
];

await withScope(1_200_000, measure);

async function measure(scope: Scope) {
  const folder = makeDataFolder(scope);
  const upstream = await startServer(scope, { argv: [scriptPath('upstream.ts')] });
  const collector = await startServer(scope, { argv: [scriptPath('tracing/collector.ts')] });
  const start = async (variant: Variant, index: number) => {
    const own = join(folder, String(index));
    mkdirSync(own);
    const { sample } = variant;
    const more = sample === undefined ? {} : { tracing: { otlp: collector.url, sample } };
    const setting = { upstreamUrl: upstream.url, folder: own, more };
    const { pid, target } = await gatewayOnSqlite.start(scope, setting);
    if (pid === undefined) throw new Error('the gateway has a process');
    return { variant, run: () => microsOfBlock(pid, targetOf(variant, target), calls) };
  };
  const { off, withParent, notSampled } = await microsOfBegin(collector.url);
  print(
    `in this process, to begin a request: off ${off.toFixed(3)} µs (aim 0.3), off with a caller's trace ${withParent.toFixed(2)}, on and not sampled ${notSampled.toFixed(2)} (aim 2)`,
  );
  const base = await start(plain, 0);
  // Two services without traces: their difference is the noise of the figures below.
  const again = await start({ ...plain, name: 'off, a second time' }, 1);
  const others = [again];
  for (const [index, variant] of variants.entries()) others.push(await start(variant, index + 2));
  const more = others.map((): number[] => []);
  const bases: number[] = [];
  for (let block = 0; block < lead + blocks; block++) {
    const micros = await base.run();
    if (block >= lead) bases.push(micros);
    for (const [index, { run }] of others.entries()) {
      const difference = (await run()) - micros;
      if (block >= lead) more[index]?.push(difference);
    }
  }
  print(`${plain.name}: ${median(bases).toFixed(0)} µs of processor time a call`);
  for (const [index, { variant }] of others.entries()) print(lineOf(variant, more[index] ?? []));
  const exports = await (await fetch(collector.url)).text();
  print(`${exports} exports reached the collector`);
}

function targetOf({ traceparent }: Variant, target: (prompt: string) => Target): Target {
  const resolved = target('What is a gateway?');
  return traceparent === undefined
    ? resolved
    : { ...resolved, headers: { ...resolved.headers, traceparent } };
}

function lineOf({ name, aim }: Variant, differences: readonly number[]): string {
  const sorted = differences.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const aimed = aim === undefined ? '' : ` (aim ${aim})`;
  return `${name}: ${at(0.5)} µs more${aimed}; half of the blocks from ${at(0.25)} to ${at(0.75)}`;
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
