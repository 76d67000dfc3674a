// Makes many calls, aborts most of them somewhere, and prints the leftovers. It must then exit.
const { getEventListeners } = require('node:events');
const { createClient, tool } = require('@model-gateway/sdk');

const callsTotal = Number(process.env.CALLS);
const lanes = 50;
const shared = new AbortController();
const client = createClient({
  baseUrl: process.env.MODEL_GATEWAY_URL,
  apiKey: 'mgk_consumer',
  timeoutMs: 10_000,
});
const contents = ['Hello', 'stall', 'flaky', 'refused', 'later', 'drip'];
const timers = new Set();
const outcomes = {};

/** Sets a timer of this program, which must not be confused with the client's. */
function abortLater(controller, waitMs) {
  const timer = setTimeout(() => {
    timers.delete(timer);
    controller.abort();
  }, waitMs);
  timers.add(timer);
}

async function callOnce(number) {
  const content = contents[number % contents.length];
  const request = { model: 'm', maxTokens: 9, messages: [{ role: 'user', content }] };
  const controller = new AbortController();
  const isShared = number % 3 === 0;
  // Stalled calls end only by their abort, so each must have its own.
  const signal = isShared && content !== 'stall' ? shared.signal : controller.signal;
  if (content === 'stall' || number % 2 === 0) abortLater(controller, number % 13);
  const slow = tool({
    name: 'slow',
    input: { type: 'object' },
    execute: (_input, context) =>
      new Promise((resolve) => context.signal.addEventListener('abort', resolve)),
  });
  const isRun = number % 10 === 7;
  if (isRun) abortLater(controller, 5);
  const call = isRun
    ? client.runAgent({ ...request, tools: [slow] }, { signal: controller.signal })
    : client.chat(request, { signal });
  const outcome = await call.then(
    () => 'answered',
    ({ code }) => code,
  );
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return getEventListeners(controller.signal, 'abort').length;
}

async function main() {
  let number = 0;
  let listeners = 0;
  const lane = async () => {
    while (number < callsTotal) {
      number += 1;
      listeners += await callOnce(number);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  listeners += getEventListeners(shared.signal, 'abort').length;
  for (const timer of timers) clearTimeout(timer);
  // Handles that keep the process alive; closing a socket takes a turn or two of the loop.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const left = process.getActiveResourcesInfo();
  const timersLeft = left.filter((name) => name === 'Timeout').length;
  const sockets = left.filter((name) => /TCP|TLS/.test(name)).length;
  const found = { calls: number, listeners, timers: timersLeft, sockets, outcomes, left };
  process.stdout.write(JSON.stringify(found));
}

main();
