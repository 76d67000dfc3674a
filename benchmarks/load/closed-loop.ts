import { performance } from 'node:perf_hooks';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import type { Recorder } from './recorder.ts';

/** Keeps every connection busy until `isOver`; resolves after the last response. */
export async function runClosedLoop(parts: {
  readonly url: string;
  readonly connections: number;
  readonly next: () => readonly Buffer[];
  readonly recorder: Recorder;
  readonly isOver: () => boolean;
}): Promise<void> {
  const { url, next, recorder, isOver } = parts;
  const opening = Array.from({ length: parts.connections }, () => openConnection(url));
  const connections = await Promise.all(opening);
  await Promise.all(connections.map(callRepeatedly));
  for (const connection of connections) connection.close();

  function callRepeatedly(connection: Connection): Promise<void> {
    return new Promise((resolve) => {
      send();
      function send() {
        recorder.sent();
        const sentAtMs = performance.now();
        connection.send(next(), (answer) => {
          recorder.answered(answer, sentAtMs);
          // A broken connection is a failure of the whole run: it is counted and not replaced.
          if (isOver() || answer.problem !== undefined) resolve();
          else send();
        });
      }
    });
  }
}
