import { expect, test } from 'vitest';
import { createRefusalLines } from '../../src/observe/refusal-lines.ts';
import { keyless } from '../../src/observe/request-lines.ts';
import { send } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { createTestClock } from '../support/test-clock.ts';

function openLog() {
  const lines: object[] = [];
  const clock = createTestClock();
  const writer = { request: (line: object) => void lines.push(line) };
  const log = createRefusalLines({ clock, log: writer, kind: keyless });
  return { lines, clock, log };
}

const counted = { status: 403, code: 'FORBIDDEN' };

test('a network has a line, and a line a second with the count of the others', async () => {
  const { lines, clock, log } = openLog();
  for (let request = 1; request <= 300; request++) log.add('192.0.2.0/24', { request });
  log.add('198.51.100.0/24', { request: 'other' });
  expect(lines).toEqual([{ request: 1 }, { request: 'other' }]);
  await clock.advance(1_000);
  expect(lines.slice(2)).toEqual([{ remote: '192.0.2.0/24', refused: 299, ...counted }]);
  log.add('192.0.2.0/24', { request: 301 });
  log.add('198.51.100.0/24', { request: 'again' });
  expect(lines.slice(3)).toEqual([{ request: 'again' }]);
  await clock.advance(1_000);
  expect(lines.slice(4)).toEqual([{ remote: '192.0.2.0/24', refused: 1, ...counted }]);
  await clock.advance(5_000);
  expect(lines).toHaveLength(5);
  log.add('192.0.2.0/24', { request: 'much later' });
  expect(lines.slice(5)).toEqual([{ request: 'much later' }]);
});

test('an unlimited number of networks is reported as one', async () => {
  const { lines, clock, log } = openLog();
  for (let network = 0; network < 10_000; network++) log.add(`network ${network}`, { network });
  expect(lines).toHaveLength(256);
  await clock.advance(1_000);
  expect(lines.slice(256)).toEqual([{ remote: 'others', refused: 10_000 - 256, ...counted }]);
});

test('unreported counts are reported at the end', () => {
  const { lines, log } = openLog();
  for (let request = 1; request <= 3; request++) log.add(undefined, { request });
  log.flush();
  expect(lines.slice(1)).toEqual([{ remote: 'unknown', refused: 2, ...counted }]);
});

test(
  'each is answered and counted all the same, and requests with a key have their lines',
  onStack(async (stack) => {
    const key = await stack.key('search');
    const before = stack.logLines.length;
    for (let request = 0; request < 50; request++) {
      expect((await send(stack, '/v1/usage')).status).toBe(403);
    }
    await send(stack, '/v1/usage', { headers: { 'x-api-key': key } });
    const told = stack.logLines.slice(before).map(({ fields }) => fields);
    expect(told.map(({ status }) => status)).toEqual([403, 200]);
    const page = await stack.service.monitor.pages['/metrics']?.();
    expect(page?.text).toMatch(/^model_gateway_requests_total\{.*code="FORBIDDEN"\} 50$/m);
  }),
);
