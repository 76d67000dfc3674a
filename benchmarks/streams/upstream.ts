import { createServer, type Socket } from 'node:net';
import { serveUntilParentEnds } from '../processes/serve.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { stampBytes, stampNow } from './stamp.ts';

// A model platform that streams chat completions. The prompt contains the number of deltas, their
// interval and their length in characters. Every delta contains its sending time. The platform uses
// bare sockets and prepared text, to keep its own time out of the figures.

interface Wish {
  readonly deltas: number;
  readonly gapMs: number;
  readonly characters: number;
}

const pacers = new Map<number, Pacer>();

serveUntilParentEnds(
  createServer({ noDelay: true }, (socket) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece: string) => {
      text += piece;
      const [head = '', body] = text.split('\r\n\r\n');
      if (body === undefined) return;
      if (!head.startsWith('POST')) {
        socket.end(notFound);
        return;
      }
      const length = /^content-length: *(\d+)/im.exec(head)?.[1];
      if (body.length < Number(length)) return;
      text = '';
      stream(wishOf(body), socket);
    });
  }),
);

const notFound = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
const head =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: req_bench\r\n' +
  'transfer-encoding: chunked\r\n\r\n';
const chunkHead =
  'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",';

/** The wish is the whole text of the last message. */
function wishOf(body: string): Wish {
  const { messages }: { readonly messages: readonly { readonly content: string }[] } =
    JSON.parse(body);
  return JSON.parse(messages.at(-1)?.content ?? '');
}

function stream({ deltas, gapMs, characters }: Wish, socket: Socket) {
  const { before, after } = framed(characters);
  let sent = 0;
  socket.write(head, 'latin1');
  if (next()) pacerOf(gapMs).add(next);

  /** Returns whether to call it again when the next delta is due. */
  function next(): boolean {
    if (socket.destroyed) return false;
    const mayGoOn = socket.write(before + stampNow() + after, 'latin1');
    sent += 1;
    if (sent === deltas) socket.write(endOf(deltas), 'latin1');
    else if (gapMs === 0 || !mayGoOn) {
      if (mayGoOn) setImmediate(next);
      else socket.once('drain', gapMs === 0 ? next : () => pacerOf(gapMs).add(next));
      return false;
    }
    return sent < deltas;
  }
}

function pacerOf(gapMs: number): Pacer {
  const pacer = pacers.get(gapMs) ?? createPacer(gapMs);
  pacers.set(gapMs, pacer);
  return pacer;
}

/** A chunk of the body with one event, around its stamp. */
function framed(characters: number) {
  const before = `${chunkHead}"choices":[{"index":0,"delta":{"content":"`;
  const after = `${'x'.repeat(characters)}"},"finish_reason":null}]}\n\n`;
  const length = before.length + stampBytes + after.length;
  return { before: `${length.toString(16)}\r\n${before}`, after: `${after}\r\n` };
}

function endOf(deltas: number): string {
  const counts = `"completion_tokens":${deltas},"total_tokens":${deltas + 20}`;
  const usage = `{"prompt_tokens":20,${counts}}`;
  const events =
    `${chunkHead}"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n` +
    `${chunkHead}"choices":[],"usage":${usage}}\n\ndata: [DONE]\n\n`;
  return `${events.length.toString(16)}\r\n${events}\r\n0\r\n\r\n`;
}
