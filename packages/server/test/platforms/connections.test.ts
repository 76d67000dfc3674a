import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../../harness/until.ts';
import {
  answerOf,
  failureOf,
  openServer,
  openTransport,
  releaseAll,
  requestWith,
} from './support/exchanges.ts';
import { answering, answerText, type Script, unusedPort } from './support/scripted-server.ts';

afterEach(releaseAll);

const anyTime = () => new AbortController().signal;

/** Answers all but the first request, which it treats differently. */
function butFirst(first: Script): Script {
  let seen = 0;
  return (socket, request) => {
    seen += 1;
    const script = seen === 1 ? first : answering(200, '{}');
    script(socket, request);
  };
}

it('serve one after the other if there are few', async () => {
  const server = await openServer(answering(200, '{}'));
  const transport = openTransport({ baseUrl: server.url, connectionsMax: 2 });
  const bodies = Array.from({ length: 50 }, (_, index) => String(index));
  const sends = bodies.map((body) => transport.send({ ...requestWith(anyTime()), body }));
  for (const sent of sends) expect((await answerOf(sent)).status).toBe(200);
  expect(server.accepted()).toBe(2);
  expect(server.requests.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
});

it('carry one request at a time, however many wait for them', async () => {
  const answers: (() => void)[] = [];
  const server = await openServer((socket) => {
    answers.push(() => socket.write(answerText(200, '{}')));
  });
  const transport = openTransport({ baseUrl: server.url, connectionsMax: 2 });
  const send = () => transport.send(requestWith(anyTime()));
  const arrived = (count: number) => until(() => answers.length === count);
  const sends = [send(), send(), send()];
  await arrived(2);
  answers[0]?.();
  await arrived(3);
  sends.push(send());
  answers[1]?.();
  // The third is still unanswered, and the fourth does not wait behind it.
  await arrived(4);
  for (const answer of answers.slice(2)) answer();
  for (const sent of sends) expect((await answerOf(sent)).status).toBe(200);
});

it('are used again after a canceled wait', async () => {
  const controller = new AbortController();
  const server = await openServer((socket) => {
    controller.abort();
    socket.write(answerText(200, '{}'));
  });
  const transport = openTransport({ baseUrl: server.url, connectionsMax: 1 });
  const first = transport.send(requestWith(anyTime()));
  const cut = await failureOf(transport.send(requestWith(controller.signal)));
  expect(cut).toMatchObject({ kind: 'aborted', wasSent: false });
  expect((await answerOf(first)).status).toBe(200);
  expect((await answerOf(transport.send(requestWith(anyTime())))).status).toBe(200);
  expect([server.accepted(), server.requests.length]).toEqual([1, 2]);
});

it('are used again after a lost exchange', async () => {
  const server = await openServer(butFirst((socket) => void socket.resetAndDestroy()));
  const transport = openTransport({ baseUrl: server.url, connectionsMax: 1 });
  await failureOf(transport.send(requestWith(anyTime())));
  expect((await answerOf(transport.send(requestWith(anyTime())))).status).toBe(200);
});

it('are used again after a canceled exchange', async () => {
  const controller = new AbortController();
  const server = await openServer(butFirst(() => controller.abort()));
  const transport = openTransport({ baseUrl: server.url, connectionsMax: 1 });
  const cut = await failureOf(transport.send(requestWith(controller.signal)));
  expect(cut).toMatchObject({ kind: 'aborted', wasSent: true });
  expect((await answerOf(transport.send(requestWith(anyTime())))).status).toBe(200);
});

it('are used again after a request that the library rejects', async () => {
  const server = await openServer(answering(200, '{}'));
  const transport = openTransport({ baseUrl: server.url, connectionsMax: 1 });
  const odd = { ...requestWith(anyTime()), headers: { 'x-odd': 'a\nb' } };
  expect(await failureOf(transport.send(odd))).toMatchObject({ kind: 'lost', wasSent: false });
  expect((await answerOf(transport.send(requestWith(anyTime())))).status).toBe(200);
});

it('that could not be opened are retried', async () => {
  const port = await unusedPort();
  const transport = openTransport({ baseUrl: `http://127.0.0.1:${port}`, connectionsMax: 1 });
  const refused = await failureOf(transport.send(requestWith(anyTime())));
  expect(refused).toMatchObject({ causeCode: 'ECONNREFUSED', wasSent: false });
  const server = createServer((_, outgoing) => void outgoing.end('{}')).listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect((await answerOf(transport.send(requestWith(anyTime())))).status).toBe(200);
  await transport.close();
  server.close();
});

it('are closed with the transport: waiting calls fail, and nobody gets another', async () => {
  const server = await openServer(() => void transport.close());
  const transport = openTransport({ baseUrl: server.url, connectionsMax: 1 });
  const sends = Array.from({ length: 5_000 }, () =>
    failureOf(transport.send(requestWith(anyTime()))),
  );
  const [first, ...others] = await Promise.all(sends);
  expect(first).toMatchObject({ kind: 'lost', wasSent: true });
  for (const other of others) expect(other).toMatchObject({ kind: 'lost', wasSent: false });
  expect(server.accepted()).toBe(1);
});

it('are not opened after the transport is closed', async () => {
  const server = await openServer(answering(200, '{}'));
  const transport = openTransport({ baseUrl: server.url });
  await transport.close();
  await failureOf(transport.send(requestWith(anyTime())));
  expect(server.accepted()).toBe(0);
});
