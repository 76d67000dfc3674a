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
import type { Order, ThreadData, ThreadMessage, ThreadRequest } from './messages.ts';
import { sentError } from './sent-error.ts';
import { serveFurther } from './serve-further.ts';

// A request thread in addition to the main one. It has its own service, and obeys the orders of the
// main thread.
const port = parentPort;
assert(port !== null, 'this file must be run as a worker thread');
const post = (message: ThreadMessage) => port.postMessage(message);
const { thread, config: sentConfig, shared, share, logLevel }: ThreadData = workerData;
const config = receivedConfig(sentConfig);
const clock = systemClock;
const ids = createIds(clock);
const lines = createLineSender((sent) => post({ kind: 'lines', lines: sent }));
const log = createLog({ level: logLevel, destination: lines });
// The log lines about this thread's failure must be sent before its end.
process.on('uncaughtExceptionMonitor', lines.flush);
const poke = (other: number) => post({ kind: 'poke', thread: other });
const threads = joinShared(shared, { thread, clock, poke });

try {
  const service = await openFurtherService(config, {
    ...{ clock, ids, log, threads, share },
    simulator: await simulatorFor({ clock, ids }, config),
    onDeath(error) {
      throw error;
    },
  });
  const served = serveFurther(service, { config, counts: threads.counts, clock, log, post });
  port.on('message', (message: ThreadRequest | Order) => {
    if (!('id' in message)) return served.obey(message);
    const { id } = message;
    const isLast = message.kind === 'stop';
    served
      .answer(
        message.kind === 'follow' ? { ...message, next: receivedConfig(message.sent) } : message,
      )
      .then(
        (answer) => post({ kind: 'done', id, isLast, answer }),
        (error: unknown) => post({ kind: 'refused', id, isLast, error: sentError(error) }),
      )
      .then(() => isLast && leave());
  });
  // The main thread has logged the lines of the startup already.
  lines.begin();
  post({ kind: 'opened' });
} catch (error) {
  post({ kind: 'not-opened', error: sentError(error) });
  leave();
}

function leave() {
  lines.flush();
  process.exit();
}

/** The main thread writes the lines. */
interface LineSender extends DestinationStream {
  /** Drops earlier lines. */
  begin(): void;
  flush(): void;
}

/** Batches the lines of one turn of the event loop. */
function createLineSender(send: (lines: readonly string[]) => void): LineSender {
  let buffered: string[] = [];
  let hasBegun = false;
  return {
    write(line) {
      if (!hasBegun) return;
      if (buffered.length === 0) setImmediate(flush);
      buffered.push(line);
    },
    begin() {
      hasBegun = true;
    },
    flush,
  };

  function flush() {
    if (buffered.length === 0) return;
    const lines = buffered;
    buffered = [];
    send(lines);
  }
}
