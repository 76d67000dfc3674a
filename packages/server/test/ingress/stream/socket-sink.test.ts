import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Sink } from '../../../src/ingress/exchange/sink.ts';
import { sinkOf } from '../../../src/ingress/http/send.ts';
import { nextTurn } from '../../../src/lib/clock.ts';

interface Opened {
  readonly client: Socket;
  readonly sinks: readonly Sink[];
  readonly answers: readonly ServerResponse[];
  /** All bytes that the client has received. */
  read(): Promise<string>;
}

/** This many streams that a client requests on one connection. */
async function opened(version = '1.1', requests = 1): Promise<Opened> {
  const sinks: Sink[] = [];
  const answers: ServerResponse[] = [];
  const server = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    answers.push(outgoing);
    sinks.push(sinkOf(outgoing, () => undefined));
    server.emit('asked');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const client = connect({ port: address.port, host: '127.0.0.1' });
  let text = '';
  client.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  client.write(`GET / HTTP/${version}\r\nhost: a\r\n\r\n`.repeat(requests));
  while (sinks.length < requests) await once(server, 'asked');
  return { client, sinks, answers, read: () => once(client, 'end').then(() => text) };
}

function written(sink: Sink | undefined, text: string): Promise<void> {
  return new Promise((resolve) => sink?.write(text, Buffer.byteLength(text), resolve));
}

function bodyOf(text: string): string {
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}

test('each text after the first is one write to the socket, and one chunk', async () => {
  const { client, sinks, answers, read } = await opened();
  const [sink] = sinks;
  const socket = answers[0]?.socket;
  const writes: unknown[] = [];
  const write = socket?.write.bind(socket);
  Object.assign(socket ?? {}, {
    write(...given: Parameters<Socket['write']>) {
      writes.push(given[0]);
      return write?.(...given);
    },
  });
  await written(sink, 'first');
  writes.length = 0;
  await written(sink, 'plain');
  await written(sink, 'é, €, 𝄞');
  expect(writes).toEqual(['5\r\nplain\r\n', 'd\r\né, €, 𝄞\r\n']);
  sink?.end();
  client.end();
  expect(bodyOf(await read())).toBe('5\r\nfirst\r\n5\r\nplain\r\nd\r\né, €, 𝄞\r\n0\r\n\r\n');
});

test('texts of one turn stay in order', async () => {
  const { client, sinks, read } = await opened();
  const [sink] = sinks;
  const taken: string[] = [];
  for (const text of ['a', 'b', 'c']) sink?.write(text, 1, () => taken.push(text));
  await written(sink, 'd');
  sink?.write('e', 1, () => taken.push('e'));
  sink?.end();
  client.end();
  expect(bodyOf(await read())).toMatch(/^\w\r\n(?=a).*d\r\n1\r\ne\r\n0\r\n\r\n$/s);
  expect(taken).toEqual(['a', 'b', 'c', 'e']);
});

test('a client of HTTP/1.0 gets the text without chunks', async () => {
  const { sinks, read } = await opened('1.0');
  const [sink] = sinks;
  await written(sink, 'first, ');
  await written(sink, 'second');
  sink?.end();
  expect(bodyOf(await read())).toBe('first, second');
});

test('a stream behind another answer waits for it', async () => {
  const { client, sinks, read } = await opened('1.1', 2);
  const [first, second] = sinks;
  expect([first?.isBehind(), second?.isBehind()]).toEqual([false, true]);
  second?.write('two', 3, () => undefined);
  second?.write('three', 5, () => undefined);
  await written(first, 'one');
  first?.end();
  await nextTurn();
  await written(second, 'four');
  second?.end();
  client.end();
  const text = await read();
  expect(text.match(/one|two|three|four/g)).toEqual(['one', 'two', 'three', 'four']);
  expect(text.endsWith('4\r\nfour\r\n0\r\n\r\n')).toBe(true);
});

test('nothing is written to a disconnected client, and nothing is thrown', async () => {
  const { client, sinks, answers } = await opened();
  const [sink] = sinks;
  await written(sink, 'first');
  const closed = new Promise((resolve) => answers[0]?.on('close', resolve));
  client.resetAndDestroy();
  await closed;
  let isTaken = false;
  sink?.write('late', 4, () => {
    isTaken = true;
  });
  await nextTurn();
  expect(isTaken).toBe(false);
});
