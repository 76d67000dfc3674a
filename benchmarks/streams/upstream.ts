import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { serveUntilParentEnds } from '../processes/serve.ts';
import { stampNow } from './stamp.ts';

// A model platform that streams chat completions: the prompt says how many deltas, how long after
// one another, and how many characters each. Every delta has the moment in it at which it was sent.

interface Wish {
  readonly deltas: number;
  readonly gapMs: number;
  readonly characters: number;
}

const head = 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",';

serveUntilParentEnds(createServer({ keepAliveTimeout: 75_000 }, receive));

function receive(incoming: IncomingMessage, outgoing: ServerResponse) {
  if (incoming.method !== 'POST') {
    outgoing.writeHead(404).end();
    return;
  }
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => void pieces.push(piece));
  incoming.on('end', () => stream(wishOf(Buffer.concat(pieces).toString()), outgoing));
}

/** The wish stands alone in the last message's text. */
function wishOf(body: string): Wish {
  const { messages }: { readonly messages: readonly { readonly content: string }[] } =
    JSON.parse(body);
  return JSON.parse(messages.at(-1)?.content ?? '');
}

function stream({ deltas, gapMs, characters }: Wish, outgoing: ServerResponse) {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_bench' });
  outgoing.socket?.setNoDelay(true);
  const padding = 'x'.repeat(characters);
  let sent = 0;
  const startedMs = performance.now();
  next();

  function next() {
    if (outgoing.destroyed) return;
    const delta = `{"content":"${stampNow()}${padding}"}`;
    const choice = `{"index":0,"delta":${delta},"finish_reason":null}`;
    const mayGoOn = outgoing.write(`${head}"choices":[${choice}]}\n\n`);
    sent += 1;
    if (sent === deltas) end();
    else if (!mayGoOn) outgoing.once('drain', later);
    else later();
  }

  function later() {
    if (gapMs === 0) setImmediate(next);
    else setTimeout(next, Math.max(0, startedMs + sent * gapMs - performance.now()));
  }

  function end() {
    const counts = `"completion_tokens":${deltas},"total_tokens":${deltas + 20}`;
    const usage = `{"prompt_tokens":20,${counts}}`;
    outgoing.end(
      `${head}"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n` +
        `${head}"choices":[],"usage":${usage}}\n\ndata: [DONE]\n\n`,
    );
  }
}
