import { createServer, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { expectedText } from './load/job.ts';
import { serveUntilParentEnds } from './processes/serve.ts';

// A model platform that answers every chat completion with the same bytes, at once or after
// `--delay-ms`. GET /count tells how many it has answered.

const { values } = parseArgs({ options: { 'delay-ms': { type: 'string', default: '0' } } });
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

let calls = 0;

const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
  if (incoming.method === 'GET') {
    outgoing.end(String(calls));
    return;
  }
  incoming.on('end', () => {
    calls += 1;
    if (delayMs === 0) reply(outgoing);
    else setTimeout(reply, delayMs, outgoing);
  });
  incoming.resume();
});

serveUntilParentEnds(server);

function reply(outgoing: ServerResponse) {
  outgoing.writeHead(200, headers);
  outgoing.end(answer);
}
