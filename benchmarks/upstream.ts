import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { parseArgs } from 'node:util';
import { expectedText } from './load/job.ts';
import { serveUntilParentEnds } from './processes/serve.ts';

// A model platform that answers every chat completion with the same bytes, at once or after
// `--delay-ms`. GET / tells how many it has answered. With a key and a certificate it listens
// with TLS on a second port as well, and GET /tls-port tells which.

const { values } = parseArgs({
  options: {
    'delay-ms': { type: 'string', default: '0' },
    'tls-key': { type: 'string' },
    'tls-cert': { type: 'string' },
  },
});
const delayMs = Number(values['delay-ms']);

const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    object: 'chat.completion',
    created: 1_741_569_952,
    model: 'bench-model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: expectedText, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 19,
      completion_tokens: 12,
      total_tokens: 31,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    service_tier: 'default',
  }),
);

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
    if (delayMs === 0) reply(outgoing);
    else setTimeout(reply, delayMs, outgoing);
  });
  incoming.resume();
}

function reply(outgoing: ServerResponse) {
  outgoing.writeHead(200, headers);
  outgoing.end(answer);
}
