import assert from 'node:assert';
import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import type { Operation } from '../../../src/books/operations.ts';
import { createBell } from '../../../src/store/sqlite/bell.ts';
import { unpackOperation } from '../../../src/store/sqlite/pack-operation.ts';
import { createTray } from '../../../src/store/sqlite/tray.ts';
import { type Got, type Sent, sumOfBatch, sumOfOperation } from './tray-sums.ts';

// Takes what is asked as the store's thread does, and answers the sum of what it got. Now and then
// it is slow, so that asks pile up. An ask of an empty batch is the last one.
const port = parentPort;
assert(port !== null, 'this file runs as a worker thread');
const bell = createBell(workerData.bell);
const tray = createTray(bell, workerData.memory);
const nap = new Int32Array(new SharedArrayBuffer(4));

for (let number = 0, isOpen = true; isOpen; number++) {
  for (let rung = bell.count(); !tray.has(number); rung = bell.count()) bell.wait(rung);
  const laid = tray.take(number);
  const batch = laid ?? sentBatch(number, port);
  if (number % 97 === 0) Atomics.wait(nap, 0, 0, 1);
  const sum = sumOfBatch(batch.map(sumOfOperation));
  port.postMessage({ number, isLaid: laid !== undefined, sum } satisfies Got);
  isOpen = batch.length > 0;
}
port.close();

function sentBatch(number: number, from: MessagePort): readonly Operation[] {
  const received: { message: Sent } | undefined = receiveMessageOnPort(from);
  assert(received?.message.number === number, 'an ask is laid or sent before it counts');
  return received.message.batch.map(unpackOperation);
}
