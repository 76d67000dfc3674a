import { once } from 'node:events';
import { loadavg } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Started } from '../../harness/process.ts';
import { createScope, type Scope } from '../../harness/scope.ts';
import { startCommand } from '../../harness/server.ts';
import { expectedText } from '../load/operation.ts';
import { readPeakBytes, readRunMicros } from '../measure.ts';
import { scriptPath } from '../processes/script-path.ts';
import { models } from './calls.ts';
import type { Cores } from './cores.ts';
import type { AttackJob, AttackResult, VictimCall, VictimJob } from './jobs.ts';
import type { Prepared } from './prepare-side.ts';
import type { Vector } from './vector.ts';
import { type Served, servedOf } from './verdict.ts';

/** One attack and its result. */
export interface Measured {
  readonly quiet: Served;
  readonly attacked: Served;
  readonly attack: AttackResult;
  /** Why calls of the victim were lost, with counts. */
  readonly problems: ReadonlyMap<string, number>;
  /** The service's share of one core during the attack. */
  readonly coreShare: number;
  readonly peakBytes: number;
  readonly load: number;
}

/** The attacker connects from its own address. Linux accepts all of 127.0.0.0/8. */
const otherAddress = '127.9.9.9';
const ownAddress = '127.0.0.1';
const warmUpSeconds = 3;
const quietSeconds = 9;

/** Starts a service, and measures the victim without and then with the attack. */
export async function measureVector(
  outer: Scope,
  vector: Vector,
  parts: { readonly prepared: Prepared; readonly cores: Cores; readonly seconds: number },
): Promise<Measured> {
  const { prepared, cores, seconds } = parts;
  const scope = createScope();
  outer.add(() => scope.close());
  try {
    const service = await prepared.start(scope, vector.service ?? {});
    const victim = startCommand(scope, { argv: [scriptPath('fairness/victim.ts')] });
    const job = victimJob(vector, service.url, prepared.keys.victim);
    await probe(vector, service.url, prepared.keys.attacker[0] ?? '');
    await victimCalls(victim, { ...job, seconds: warmUpSeconds });
    const quiet = await victimCalls(victim, { ...job, seconds: quietSeconds });
    const attacker = startAttacker(scope, cores);
    await begin(attacker, {
      ...{ vectorName: vector.name, url: service.url, headers: forwarded(vector, '203.0.113.9') },
      localAddress: vector.service?.isBehindProxy === true ? ownAddress : otherAddress,
      ...{ keys: prepared.keys.attacker, poorKey: prepared.keys.poor, admin: prepared.admin },
    });
    await sleep((vector.leadSeconds ?? 0) * 1_000);
    const before = { cpu: readRunMicros(service.pid), at: performance.now() };
    const calls = await victimCalls(victim, { ...job, seconds });
    const micros = readRunMicros(service.pid) - before.cpu;
    const coreShare = micros / 1_000 / (performance.now() - before.at);
    const attack = await end(attacker);
    const [load = Number.NaN] = loadavg();
    return {
      ...{ quiet: servedOf(quiet), attacked: servedOf(calls), attack, coreShare, load },
      problems: countsOf(calls.flatMap(({ problem }) => problem ?? [])),
      peakBytes: readPeakBytes(service.pid),
    };
  } finally {
    await scope.close();
  }
}

function victimJob(vector: Vector, url: string, key: string): VictimJob {
  const usesStreams = vector.usesStreams === true;
  const messages = [{ role: 'user', content: 'hello' }];
  const model = usesStreams ? models.stream : models.chat;
  return {
    ...{ url, path: usesStreams ? '/v1/chat/stream' : '/v1/chat', seconds: 0 },
    headers: { 'x-api-key': key, ...forwarded(vector, '198.51.100.7') },
    body: JSON.stringify({ model, maxTokens: 64, messages }),
    expects: usesStreams ? 'event: finish' : expectedText,
    opensConnections: vector.opensConnections === true,
  };
}

function forwarded({ service }: Vector, address: string): Readonly<Record<string, string>> {
  return service?.isBehindProxy === true ? { 'x-forwarded-for': address } : {};
}

/**
 * Sends the attack's call once. The proof is only valid if the attack is what its name promises.
 */
async function probe({ name, attack }: Vector, url: string, key: string) {
  if (attack.kind !== 'calls') return;
  const { path, body, verdict } = attack.call;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const leaving = new AbortController();
  const init = { method: 'POST', headers, body: body(), signal: leaving.signal };
  const response = await fetch(`${url}${path}`, init);
  const reader = response.body?.getReader();
  const firstText = new TextDecoder().decode((await reader?.read())?.value).slice(0, 300);
  leaving.abort();
  const expected = verdict === 'admitted' ? 200 : 400;
  if (response.status !== expected) {
    throw new Error(`${name}: answered ${response.status}, not ${expected}: ${firstText}`);
  }
}

function startAttacker(scope: Scope, { attack }: Cores): Started {
  const argv = ['--cpu-list', attack, process.execPath, scriptPath('fairness/attacker.ts')];
  return startCommand(scope, { program: 'taskset', argv });
}

async function victimCalls({ child }: Started, job: VictimJob): Promise<readonly VictimCall[]> {
  const replied = once(child, 'message');
  child.send(job);
  const [calls]: (readonly VictimCall[])[] = await replied;
  return calls ?? [];
}

async function begin({ child }: Started, job: AttackJob) {
  const begun = once(child, 'message');
  child.send(job);
  await begun;
}

async function end({ child }: Started): Promise<AttackResult> {
  const replied = once(child, 'message');
  child.send('end');
  const [result]: AttackResult[] = await replied;
  return result ?? { seconds: 0, statuses: {} };
}

function countsOf(problems: readonly string[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(problems, (problem) => problem);
  return new Map([...groups].map(([problem, all]) => [problem, all.length]));
}
