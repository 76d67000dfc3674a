import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { parseArgs } from 'node:util';
import { serveUntilParentEnds } from './processes/serve.ts';
import { completion, embeddings, events, message } from './upstream/answers.ts';

// A model platform that answers every call of an `--operation` with the same bytes, at once or
// after `--delay-ms`; a stream with one event in each turn of the event loop. GET / returns the
// number of responses. With a key and a certificate it also listens with TLS on a second port, and
// GET /tls-port returns that port.

const { values } = parseArgs({
  options: {
    'delay-ms': { type: 'string', default: '0' },
    operation: { type: 'string', default: 'chat' },
    'tls-key': { type: 'string' },
    'tls-cert': { type: 'string' },
  },
});
const delayMs = Number(values['delay-ms']);

const answers: Readonly<Record<string, Buffer>> = { embeddings, relay: message };
const answer = answers[values.operation] ?? completion;

const headers = [
  ...['content-type', 'application/json'],
  ...['x-request-id', 'req_5f2f1c0f6a3e4bd8'],
  ...['content-length', String(answer.length)],
];

const keepAlive = { keepAliveTimeout: 75_000 };

let calls = 0;
let tlsPort: number | undefined;

const server = createServer(keepAlive, receive);
const { 'tls-key': keyFile, 'tls-cert': certFile } = values;
if (keyFile === undefined || certFile === undefined) serveUntilParentEnds(server);
else {
  const trusted = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  const secure = createSecureServer({ ...keepAlive, ...trusted }, receive);
  secure.listen(0, '127.0.0.1', () => {
    const address = secure.address();
    if (typeof address === 'object' && address !== null) tlsPort = address.port;
    serveUntilParentEnds(server);
  });
}

function receive(incoming: IncomingMessage, outgoing: ServerResponse) {
  if (incoming.method === 'GET') {
    outgoing.end(String(incoming.url === '/tls-port' ? tlsPort : calls));
    return;
  }
  incoming.on('end', () => {
    calls += 1;
    const answerWith = values.operation === 'stream' ? stream : reply;
    if (delayMs === 0) answerWith(outgoing);
    else setTimeout(answerWith, delayMs, outgoing);
  });
  incoming.resume();
}

function reply(outgoing: ServerResponse) {
  outgoing.writeHead(200, headers);
  outgoing.end(answer);
}

function stream(outgoing: ServerResponse) {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_bench' });
  sendFrom(0, outgoing);
}

function sendFrom(at: number, outgoing: ServerResponse) {
  const next = events[at];
  if (next === undefined) return void outgoing.end();
  outgoing.write(next);
  setImmediate(sendFrom, at + 1, outgoing);
}
