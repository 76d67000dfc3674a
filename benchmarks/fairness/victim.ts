import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, openConnection } from '../load/connection.ts';
import type { VictimCall, VictimJob } from './jobs.ts';

// The victim, a process: one small call every 150 ms, however long the responses take. It waits 10
// s for a response, then closes its connection.

const everyMs = 150;
const patienceMs = 10_000;
const free: Connection[] = [];

process.on('message', (job: VictimJob) => {
  void run(job).then((calls) => process.send?.(calls));
});
process.on('disconnect', () => process.exit());

async function run(job: VictimJob): Promise<readonly VictimCall[]> {
  const request = requestOf(job);
  const calls: Promise<VictimCall>[] = [];
  const startedMs = performance.now();
  for (let dueMs = 0; dueMs < job.seconds * 1_000; dueMs += everyMs) {
    await sleep(Math.max(0, startedMs + dueMs - performance.now()));
    calls.push(call(job, request));
  }
  return Promise.all(calls);
}

function call(job: VictimJob, request: readonly Buffer[]): Promise<VictimCall> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let used: Connection | undefined;
    let isOver = false;
    const patience = setTimeout(() => lose('no answer in time'), patienceMs);
    void send().catch((error: unknown) => lose(String(error)));

    async function send() {
      used = takeFree(job) ?? (await openConnection(job.url));
      const connection = used;
      if (isOver) return connection.close();
      connection.send(request, ({ status, body, problem }) => {
        const tookMs = performance.now() - startedMs;
        if (status !== 200 || !body.includes(job.expects)) {
          return lose(problem ?? `${status} ${body.slice(0, 200)}`);
        }
        clearTimeout(patience);
        if (connection.isOpen() && !job.opensConnections) free.push(connection);
        else connection.close();
        resolve({ isAnswered: true, tookMs });
      });
    }

    function lose(problem: string) {
      isOver = true;
      clearTimeout(patience);
      used?.close();
      resolve({ isAnswered: false, tookMs: patienceMs, problem });
    }
  });
}

function takeFree({ opensConnections }: VictimJob): Connection | undefined {
  if (opensConnections) return undefined;
  for (let last = free.pop(); last !== undefined; last = free.pop()) {
    if (last.isOpen()) return last;
  }
  return undefined;
}

function requestOf({ path, headers, body }: VictimJob): readonly Buffer[] {
  const lines = [`POST ${path} HTTP/1.1`, 'host: gateway.test'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return [Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)];
}
