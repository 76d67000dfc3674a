import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from '../../harness/scope.ts';
import { startServer } from '../../harness/server.ts';
import { type Generator, startGenerator } from '../load/generator.ts';
import { expectedIn, type Operation } from '../load/operation.ts';
import { readRunMicros } from '../measure.ts';
import { makeDataFolder } from '../processes/data-folder.ts';
import { scriptPath } from '../processes/script-path.ts';
import { promptText } from '../rounds/scenario.ts';
import type { RunningSide, Side } from '../sides/side.ts';

/** The processor time of a call in one round, in µs, by version. */
export interface Round {
  readonly old: number;
  readonly new: number;
  /** A second process of the old version: its difference is noise. */
  readonly oldAgain: number;
}

/** Three services, measured in turn. */
export interface Contest {
  /** Measures each service for this time, in an order that changes from round to round. */
  round(measureMs: number): Promise<Round>;
}

const pace = { kind: 'closed', connections: 32 } as const;
const names = ['old', 'new', 'oldAgain'] as const;

/** Starts the old version twice and the current version once, and lets each compile its code. */
export async function openContest(
  scope: Scope,
  parts: {
    readonly oldLauncher: string;
    readonly operation: Operation;
    readonly side: Side;
    readonly warmMs: number;
  },
): Promise<Contest> {
  const { oldLauncher, operation, side, warmMs } = parts;
  const folder = makeDataFolder(scope);
  const generator = startGenerator(scope);
  const argv = [scriptPath('upstream.ts'), '--operation', operation];
  const { url: upstreamUrl } = await startServer(scope, { argv });
  const start = async (name: string, version: { readonly launcher?: string }) => {
    const own = join(folder, name);
    mkdirSync(own);
    return side.start(scope, { upstreamUrl, operation, folder: own, ...version });
  };
  const services = {
    old: await start('old', { launcher: oldLauncher }),
    new: await start('new', {}),
    oldAgain: await start('oldAgain', { launcher: oldLauncher }),
  };
  const measure = (name: (typeof names)[number], measureMs: number) =>
    measureCall(generator, { service: services[name], operation, measureMs });
  for (const name of names) await measure(name, warmMs);
  let rounds = 0;
  return {
    async round(measureMs) {
      const first = rounds % names.length;
      const rotated = [...names.slice(first), ...names.slice(0, first)];
      const order = rounds % 2 === 0 ? rotated : rotated.toReversed();
      rounds += 1;
      const measured = { old: 0, new: 0, oldAgain: 0 };
      for (const name of order) measured[name] = await measure(name, measureMs);
      return measured;
    },
  };
}

async function measureCall(
  generator: Generator,
  parts: {
    readonly service: RunningSide;
    readonly operation: Operation;
    readonly measureMs: number;
  },
): Promise<number> {
  const { service, operation, measureMs } = parts;
  const { pid } = service;
  if (pid === undefined) throw new Error('a gateway has a process');
  const target = { ...service.target(promptText('short')), expects: expectedIn[operation] };
  const before = readRunMicros(pid);
  const { sent, failures, firstFailure } = await generator.run({
    ...{ target, pace, measureMs, warmUpMs: 0, hasIdempotencyKeys: false, watchedPids: [] },
  });
  if (failures > 0) throw new Error(`${failures} of ${sent} calls failed: ${firstFailure}`);
  return (readRunMicros(pid) - before) / sent;
}
