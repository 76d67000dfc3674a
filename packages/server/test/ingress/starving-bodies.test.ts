import { expect, test } from 'vitest';
import { slowBodies } from '../../src/ingress/limits/bodies.ts';
import { chatOf, meetChat, sendBody } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';

const bodyBytes = 4_194_304;
const kib = 1_024;

/** A body that announces its length, and arrives when the test sends it. */
interface Sending {
  readonly answer: Promise<Response>;
  send(bytes: number): Promise<void>;
  end(text: string): void;
}

async function begin(stack: Stack, app: string, length: number | undefined): Promise<Sending> {
  const key = await stack.key(app);
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      control = controller;
    },
  });
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    ...(length !== undefined && { 'content-length': String(length) }),
  };
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  const answer = stack.fetch('http://gateway.test/v1/chat', init);
  await stack.clock.settle();
  return {
    answer,
    async send(bytes) {
      control?.enqueue(Buffer.alloc(bytes, ' '));
      await stack.clock.settle();
    },
    end(text) {
      control?.enqueue(Buffer.from(text));
      control?.close();
    },
  };
}

/** The status of a response that has arrived; undefined before. */
async function statusOf(stack: Stack, { answer }: Sending): Promise<number | undefined> {
  let status: number | undefined;
  void answer.then((response) => {
    status = response.status;
  });
  await stack.clock.settle();
  return status;
}

const apps = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "500" }, { name: tutor, dailyBudgetUsd: "500" }]
`;
const nothing = { requests: 0, bodyBytes: 0 };

test(
  'a key that only announces bodies blocks no other app',
  onStack(
    async (stack) => {
      let announced = 0;
      const refused = new Map<number, number>();
      const attack = async () => {
        // As many as would fill everything, if they counted by the announced length.
        while (announced - [...refused.values()].reduce((sum, count) => sum + count, 0) < 64) {
          announced += 1;
          const { answer } = await begin(stack, 'search', bodyBytes);
          void answer.then(({ status }) => refused.set(status, (refused.get(status) ?? 0) + 1));
          await stack.clock.settle();
          if (announced > 600) return;
        }
      };
      let answered = 0;
      for (let second = 0; second < 30; second++) {
        if (second % 3 === 0) await attack();
        if ((await meetChat(stack, 'tutor', 'sim-echo')).status === 200) answered += 1;
        await stack.clock.advance(1_000);
      }
      expect(answered).toBe(30);
      await stack.clock.advance(slowBodies.graceMs);
      expect([...refused.keys()].sort()).toEqual([408]);
      expect(stack.service.concurrency.load()).toEqual(nothing);
    },
    { yaml: apps },
  ),
);

test(
  'bodies that were read and wait for a slow model leave room for another app',
  onStack(
    async (stack) => {
      const large = (model: string) => JSON.stringify(chatOf(model)).padEnd(100 * kib);
      await stack.key('search');
      await stack.key('tutor');
      const calls = Array.from({ length: 20 }, () =>
        stack.post('search', '/v1/chat', large('sim-slow')),
      );
      await stack.clock.settle();
      const held = stack.service.concurrency.loads().get('search')?.bodyBytes ?? 0;
      const answered = await sendBody(stack, 'tutor', large('sim-echo'));
      expect([answered.status, held > 800 * kib]).toEqual([200, true]);
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
    },
    {
      yaml: `${apps}limits: { bodyBytesInFlight: ${1_000 * kib} }\n`,
    },
  ),
);

test(
  'a key with eight slow bodies begins no other until one of them has arrived',
  onStack(async (stack) => {
    const chat = JSON.stringify(chatOf('sim-echo'));
    await stack.key('search');
    const first = await Promise.all(
      Array.from({ length: slowBodies.perKeyMax }, () => begin(stack, 'search', undefined)),
    );
    // Many at once are harmless: they have a second to arrive.
    const quick = await Promise.all(Array.from({ length: 40 }, () => begin(stack, 'search', 300)));
    for (const sending of quick) sending.end(chat.padEnd(300));
    await stack.clock.advance(slowBodies.afterMs);
    for (const { answer } of quick) expect((await answer).status).toBe(200);
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(429);
    // A request without a body needs no room for one, nor does another key of the app.
    const usage = await stack.client('search');
    await stack.clock.run(usage.usage());
    const other = { 'x-api-key': await stack.key('search', 'admin') };
    const init = { headers: other };
    expect((await stack.post('search', '/v1/chat', chat, init)).status).toBe(200);
    first[0]?.end(chat);
    await stack.clock.settle();
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    await stack.clock.advance(slowBodies.graceMs);
    const [done, ...late] = await Promise.all(first.map(async ({ answer }) => answer));
    expect([done?.status, new Set(late.map(({ status }) => status))]).toEqual([
      200,
      new Set([408]),
    ]);
    expect(stack.service.concurrency.load()).toEqual(nothing);
  }),
);

test(
  'a body has 2 s, and one more for each 64 KiB that has arrived',
  onStack(async (stack) => {
    const sending = await begin(stack, 'search', bodyBytes);
    await sending.send(64 * kib);
    await stack.clock.advance(2_999);
    expect(await statusOf(stack, sending)).toBeUndefined();
    await sending.send(32 * kib);
    await stack.clock.advance(500);
    expect(await statusOf(stack, sending)).toBeUndefined();
    await stack.clock.advance(1);
    expect(await statusOf(stack, sending)).toBe(408);
    expect(stack.service.concurrency.load()).toEqual(nothing);
  }),
);

test(
  'a body counts with its received bytes, and before with at most a chunk',
  onStack(async (stack) => {
    const { concurrency } = stack.service;
    const sending = await begin(stack, 'search', bodyBytes);
    expect(concurrency.load().bodyBytes).toBe(64 * kib);
    await sending.send(100 * kib);
    expect(concurrency.load().bodyBytes).toBe(100 * kib);
    const small = await begin(stack, 'search', 300);
    expect(concurrency.load().bodyBytes).toBe(100 * kib + 300);
    small.end(JSON.stringify(chatOf('sim-echo')).padEnd(300));
    sending.end('!');
    await stack.clock.settle();
    expect((await sending.answer).status).toBe(400);
    expect((await small.answer).status).toBe(200);
  }),
);

test(
  'a body that is still incomplete at the gateway’s time limit frees its permit',
  onStack(
    async (stack) => {
      const sending = await begin(stack, 'search', bodyBytes);
      await sending.send(64 * kib);
      await stack.clock.advance(1_500);
      expect(await statusOf(stack, sending)).toBe(504);
      expect(stack.service.concurrency.load()).toEqual(nothing);
      expect(stack.service.concurrency.loads().size).toBe(0);
    },
    {
      yaml: `${apps}limits: { gatewayMs: 1500 }\n`,
    },
  ),
);
