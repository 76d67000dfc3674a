import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { type Connection, openConnection } from '../load/connection.ts';
import type { AttackJob, AttackResult } from './jobs.ts';
import { workAsOperators } from './operators.ts';
import { createPlanPace } from './plan-pace.ts';
import { openSockets } from './sockets.ts';
import type { CallAttack } from './vector.ts';
import { allVectors } from './vectors.ts';

// The attackers, one process. Requests are prebuilt and sockets reused, to make the service's core
// the bottleneck. A message begins an attack; the message `end` ends it.

const statuses = new Map<number, number>();
const connections = new Set<Connection>();
let startedMs = 0;
let isOver = false;

process.on('message', (message: AttackJob | 'end') => {
  if (message === 'end') return end();
  startedMs = performance.now();
  begin(message);
  process.send?.('begun');
});
process.on('disconnect', () => process.exit());

function begin(job: AttackJob) {
  const vector = allVectors.find(({ name }) => name === job.vectorName);
  if (vector === undefined) throw new Error(`unknown vector: ${job.vectorName}`);
  const { attack } = vector;
  if (attack.kind === 'calls') beginCalls(job, attack);
  else if (attack.kind === 'operators') workAsOperators(job, attack, count);
  else openSockets({ ...job, key: job.keys[0] ?? '' }, attack, count);
}

function beginCalls(job: AttackJob, attack: CallAttack) {
  const keys = job.keys.slice(0, attack.keys);
  const body = Buffer.from(attack.call.body());
  const callers = [...keys, job.poorKey].map((key) => ({
    request: requestOf(job, attack.call.path, key, body),
    pace: createPlanPace(),
  }));
  for (let index = 0; index < attack.connections; index++) {
    const isPoor = attack.withPoorApp === true && index % 2 === 1;
    const caller = callers[isPoor ? keys.length : index % keys.length];
    if (caller !== undefined) void callRepeatedly(job, attack, caller);
  }
}

async function callRepeatedly(
  { url, localAddress }: AttackJob,
  { isUnpaced }: CallAttack,
  caller: { readonly request: readonly Buffer[]; readonly pace: () => Promise<void> },
) {
  let connection: Connection | undefined;
  while (!isOver) {
    if (isUnpaced !== true) await caller.pace();
    connection = connection?.isOpen() === true ? connection : await opened(url, localAddress);
    if (connection !== undefined) count(await answerOf(connection, caller.request));
    else count(0);
  }
}

async function opened(url: string, localAddress: string): Promise<Connection | undefined> {
  try {
    const connection = await openConnection(url, localAddress);
    connections.add(connection);
    return connection;
  } catch {
    // The service is full, or resets the connection: the next try follows at the attacker's pace.
    return undefined;
  }
}

function answerOf(connection: Connection, request: readonly Buffer[]): Promise<number> {
  return new Promise((resolve) => {
    connection.send(request, ({ status }) => {
      if (!connection.isOpen()) {
        connection.close();
        connections.delete(connection);
      }
      resolve(status);
    });
  });
}

function requestOf(job: AttackJob, path: string, key: string, body: Buffer): readonly Buffer[] {
  const lines = [`POST ${path} HTTP/1.1`, 'host: gateway.test', `x-api-key: ${key}`];
  for (const [name, value] of Object.entries(job.headers)) lines.push(`${name}: ${value}`);
  lines.push('content-type: application/json', `content-length: ${body.length}`);
  return [Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])];
}

function count(status: number) {
  if (!isOver) statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

function end() {
  isOver = true;
  const seconds = (performance.now() - startedMs) / 1_000;
  const result: AttackResult = { seconds, statuses: Object.fromEntries(statuses) };
  process.send?.(result, () => process.exit());
}
