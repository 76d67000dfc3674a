import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createScope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { startGenerator } from './load/generator.ts';
import type { LoadResult } from './load/job.ts';
import { readThreadTimes } from './measure.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { readProfiles } from './profile/cpu-profile.ts';
import { type Share, sharesOf } from './profile/shares.ts';
import { type PromptName, promptText } from './rounds/scenario.ts';
import { sides } from './sides/all.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';

// Measures where a side's time goes under load: for each thread the largest shares, in µs a call.

const { values } = parseArgs({
  options: {
    side: { type: 'string', default: gatewayOnSqlite.name },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    prompt: { type: 'string', default: 'short' },
    'idempotency-keys': { type: 'boolean', default: false },
    top: { type: 'string', default: '25' },
  },
});

const side = sides.find(({ name }) => name === values.side);
if (side === undefined) throw new Error(`--side is one of ${sides.map(({ name }) => name)}`);

const prompts: readonly PromptName[] = ['short', '8 kB', '100 kB'];
const prompt = prompts.find((name) => name === values.prompt) ?? 'short';
const measureMs = Number(values.seconds) * 1000;
const warmUpMs = 4_000;
const sampleMicros = 250;

await withScope(measureMs + 120_000, async (scope) => {
  const folder = makeDataFolder(scope);
  const profiles = join(folder, 'profiles');
  mkdirSync(profiles);
  const upstream = await startServer(scope, { argv: [scriptPath('upstream.ts')] });
  const generator = startGenerator(scope);
  const sideScope = createScope();
  scope.add(sideScope.close);
  const nodeOptions = [
    ...['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${sampleMicros}`],
  ];
  const { pid, target } = await side.start(sideScope, {
    ...{ upstreamUrl: upstream.url, folder, nodeOptions },
  });
  if (pid === undefined) throw new Error(`${side.name} has no process`);
  const job = {
    target: target(promptText(prompt)),
    pace: { kind: 'closed', connections: Number(values.connections) },
    hasIdempotencyKeys: values['idempotency-keys'],
    warmUpMs: 0,
    watchedPids: [pid],
  } as const;
  await generator.run({ ...job, measureMs: warmUpMs });
  const before = readThreadTimes(pid);
  const result = await generator.run({ ...job, measureMs });
  const after = readThreadTimes(pid);
  // The profiles are written at the end of the process.
  await sideScope.close();
  report(profiles, result);
  list(
    'processor time by thread',
    [...after].map(([name, micros]) => ({ name, micros: micros - (before.get(name) ?? 0) })),
    result.calls,
  );
});

function report(folder: string, result: LoadResult) {
  const { calls, seconds, failures, firstFailure } = result;
  const cpu = (result.cpu[0]?.totalMicros ?? 0) / calls;
  print(`${Math.round(calls / seconds)} calls/s, ${cpu.toFixed(1)} µs CPU a call, profiled`);
  if (failures > 0) print(`${failures} failures: ${firstFailure}`);
  for (const { threadId, profile } of readProfiles(folder)) {
    const shares = sharesOf(profile, result);
    const perCall = shares.busyMicros / calls;
    const name = threadId === 0 ? 'main thread' : `worker thread ${threadId}`;
    print(`\n# ${name}: ${perCall.toFixed(1)} µs a call\n`);
    list('own time by module', shares.byModule, calls);
    list('own time by function', shares.byFunction, calls);
    list('functions without a source, by their caller', shares.nativeByCaller, calls);
    list('functions of this repository, with all that they call', shares.withCalls, calls);
  }
}

function list(title: string, shares: readonly Share[], calls: number) {
  print(`  ${title}, µs a call`);
  for (const { name, micros } of shares.slice(0, Number(values.top))) {
    if (micros / calls >= 0.05) print(`  ${(micros / calls).toFixed(2).padStart(7)}  ${name}`);
  }
  print('');
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
