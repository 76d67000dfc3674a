import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';
import type { Recorder } from './recorder.ts';

/**
 * Sends calls at a fixed rate, however long their responses take; resolves after the last response.
 * A call without a free connection waits for one, and its latency counts from its due time.
 */
export async function runOpenLoop(parts: {
  readonly url: string;
  readonly callsPerSecond: number;
  readonly connectionsMax: number;
  readonly next: () => readonly Buffer[];
  readonly recorder: Recorder;
  readonly isOver: () => boolean;
}): Promise<void> {
  const { url, next, recorder, isOver, callsPerSecond } = parts;
  const opening = Array.from({ length: parts.connectionsMax }, () => openConnection(url));
  const free = await Promise.all(opening);
  const all = [...free];
  const late: number[] = [];
  let running = 0;
  const startedMs = performance.now();
  for (let due = 0; !isOver(); ) {
    const nowMs = performance.now();
    const dueUntilNow = Math.floor(((nowMs - startedMs) / 1000) * callsPerSecond);
    // A late timer of this process must not count as latency of the measured side.
    for (; due < dueUntilNow; due++) start(nowMs);
    await sleep(1);
  }
  for (let waits = 0; (running > 0 || late.length > 0) && waits < 30_000; waits++) await sleep(1);
  for (const connection of all) connection.close();

  function start(dueMs: number) {
    const connection = free.pop();
    if (connection === undefined) late.push(dueMs);
    else send(connection, dueMs);
  }

  function send(connection: Connection, dueMs: number) {
    running += 1;
    recorder.sent();
    connection.send(next(), (answer) => {
      running -= 1;
      recorder.answered(answer, dueMs);
      if (answer.problem !== undefined) return;
      const waiting = late.shift();
      if (waiting === undefined) free.push(connection);
      else send(connection, waiting);
    });
  }
}
