import assert from 'node:assert';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import type { DestinationStream } from 'pino';
import { openFurtherService } from '../../compose/open-further.ts';
import { joinShared } from '../../compose/threads/threads.ts';
import { systemClock } from '../../lib/clock.ts';
import { createIds } from '../../lib/id.ts';
import { createLog } from '../../lib/log.ts';
import { simulatorFor } from '../process/platforms.ts';
import { receivedConfig } from '../process/sent-config.ts';
import type { Ask, Order, Said, ThreadData } from './messages.ts';
import { sentError } from './sent-error.ts';
import { serveFurther } from './serve-further.ts';

// A thread that answers requests beside the first one of its process: with a service of its own,
// which is told by the first thread what to do.
const port = parentPort;
assert(port !== null, 'this file runs as a worker thread');
const say = (said: Said) => port.postMessage(said);
const { thread, config: given, shared, share, logLevel }: ThreadData = workerData;
const config = receivedConfig(given);
const clock = systemClock;
const ids = createIds(clock);
const lines = createLineSender((sent) => say({ kind: 'lines', lines: sent }));
const log = createLog({ level: logLevel, destination: lines });
// What led to the end of this thread is told before it is.
process.on('uncaughtExceptionMonitor', lines.flush);
const poke = (other: number) => say({ kind: 'poke', thread: other });
const threads = joinShared(shared, { thread, clock, poke });

try {
  const service = await openFurtherService(config, {
    ...{ clock, ids, log, threads, share },
    simulator: await simulatorFor({ clock, ids }, config),
    onDeath(error) {
      throw error;
    },
  });
  const served = serveFurther(service, { config, counts: threads.counts, clock, log, say });
  port.on('message', (told: Ask | Order) => {
    if (!('id' in told)) return served.obey(told);
    const { id } = told;
    const isLast = told.kind === 'stop';
    served
      .answer(told.kind === 'follow' ? { ...told, next: receivedConfig(told.sent) } : told)
      .then(
        (answer) => say({ kind: 'done', id, isLast, answer }),
        (error: unknown) => say({ kind: 'refused', id, isLast, error: sentError(error) }),
      )
      .then(() => isLast && leave());
  });
  // What a start has to say, the first thread has said.
  lines.begin();
  say({ kind: 'opened' });
} catch (error) {
  say({ kind: 'not-opened', error: sentError(error) });
  leave();
}

function leave() {
  lines.flush();
  process.exit();
}

/** The first thread writes them. */
interface LineSender extends DestinationStream {
  /** Earlier lines are dropped. */
  begin(): void;
  flush(): void;
}

/** Batches the lines of a turn of the event loop. */
function createLineSender(send: (lines: readonly string[]) => void): LineSender {
  let waiting: string[] = [];
  let hasBegun = false;
  return {
    write(line) {
      if (!hasBegun) return;
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(line);
    },
    begin() {
      hasBegun = true;
    },
    flush,
  };

  function flush() {
    if (waiting.length === 0) return;
    const lines = waiting;
    waiting = [];
    send(lines);
  }
}
