import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { openHolds } from '../store/support/books.ts';
import { amountsOf } from '../streams/support/oracle.ts';
import { readStream } from '../streams/support/served.ts';
import { startUpstream } from '../streams/support/upstream.ts';
import { textOf, type Wire } from '../streams/support/wire.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { startServer } from '../support/server.ts';
import { defaultYaml } from '../support/stack.ts';

const yaml = `${defaultYaml}
streaming: true
limits: { stopMs: 3000 }
`;
const text = 'Some words that come one by one, and are not told to their end.';
const stream = { gapMs: 1_000 };

test(
  'shutdown lets streams run for its time, ends them with SERVER, and books their maximum cost',
  onStack(
    async (stack) => {
      const response = await stack.post('search', '/v1/chat/stream', chatOf('sim-echo'));
      const { clock, service } = stack;
      const [body] = await Promise.all([response.text(), clock.run(service.stop())]);
      const [, data = ''] = /event: error\ndata: (.*)\n/.exec(body) ?? [];
      const [call] = await readCalls(stack.store, 'search', utcDayOf(clock.now()));
      expect(call).toMatchObject({ code: 'SERVER', basis: 'estimated' });
      expect(body.match(/event: text/g)?.length).toBeGreaterThan(2);
      expect(JSON.parse(data)).toMatchObject({
        error: { code: 'SERVER', model: 'sim-echo' },
        ...{ usage: null, cost: { estimated: true }, partial: true },
      });
      await expectClean(stack);
    },
    { yaml, script: () => ({ kind: 'answer', text, stream }) },
  ),
);

test('on sockets all followers get it with its cost; the platform is disconnected', async () => {
  const usage = { inputTokens: 20, outputTokens: 40 };
  const upstream = await startUpstream({ delta: 'word ', deltas: 5, isEndless: true, usage });
  onTestFinished(() => upstream.close());
  const server = await startServer({ yaml: yamlOf(upstream.url) });
  onTestFinished(() => server.close());
  const wires: Wire[] = [];
  const leaving = new AbortController();
  const request = {
    ...{ apiKey: await server.key('search'), body: chat },
    onWire: (wire: Wire) => void wires.push(wire),
  };
  const isTold = () => wires.every(({ events }) => textOf(events) === fiveWords);
  const ask = (more: { readonly key?: string; readonly signal?: AbortSignal } = {}) =>
    readStream(server.url, { ...request, ...more });

  const alone = ask();
  const first = ask({ key: 'one-call' });
  const gone = ask({ signal: leaving.signal });
  await until(() => wires.length === 3 && isTold());
  const again = ask({ key: 'one-call' });
  await until(() => wires.length === 4 && isTold());
  leaving.abort();
  expect(await gone).toMatchObject({ isWhole: false });
  await until(() => server.logLines.some(({ fields }) => fields.end === 'left'));

  expect(await server.service.stop()).toEqual({ unsettledCalls: 0 });
  const cut = server.logLines.filter(({ message }) => message.startsWith('shutdown timeout'));
  expect(cut.map(({ fields }) => fields)).toMatchObject([{ stopMs: 1_000, streams: 3 }]);
  const { most, bytes } = amountsOf(chat);
  const told = { error: { code: 'SERVER', model: 'told' }, usage: null, partial: true };
  const cost = { usd: formatUsd(most), estimated: true };
  for (const { wire, isWhole } of await Promise.all([alone, first, again])) {
    const last = wire.events.at(-1);
    expect([isWhole, last?.name]).toEqual([true, 'error']);
    expect(last?.data).toMatchObject({ ...told, cost });
  }
  expect(upstream.calls).toHaveLength(3);
  await until(() => upstream.calls.every(({ isCut }) => isCut));
  const calls = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
  const booked = calls.map((call) => [call.code, call.basis, call.cost, call.walletGrant]);
  // A disconnected user pays for the received text, as usual; the others nothing.
  expect(booked.toSorted()).toEqual([
    ['ABORTED', 'estimated', most, bytes(fiveWords.length)],
    ['SERVER', 'estimated', most, 0n],
    ['SERVER', 'estimated', most, 0n],
  ]);
  expect(await openHolds(server.store)).toBe(0);
  await expectClean(server);
});

const fiveWords = 'word '.repeat(5);
const chat = {
  ...{ model: 'told', maxTokens: 1_000, userId: 'ada' },
  messages: [{ role: 'user', content: 'Five words.' }] as const,
};

function yamlOf(url: string): string {
  return `
company: acme
store: sqlite:./gateway.db
streaming: true
limits: { stopMs: 1000 }
platforms:
  up: { kind: openai-compatible, baseUrl: "${url}", apiKey: some-key }
apps:
  - { name: search, dailyBudgetUsd: "5", credits: { monthlyGrant: "100000", usdPerCredit: "0.01" } }
models:
  - { id: told, platform: up, inputUsdPerMillion: "0.15", cacheWriteInputUsdPerMillion: "0.1875", outputUsdPerMillion: "0.6", contextTokens: 128000, maxOutputTokens: 16384 }
`;
}
