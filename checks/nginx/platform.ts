import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A platform that sends each delta only on request. */
export interface Platform {
  readonly url: string;
  /** Sends the next delta of the latest call. */
  next(): void;
  /** Sends its counts and its end. */
  finish(): void;
  close(): void;
}

/** Its counts for each call. */
export const counted = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } as const;

/** Serves streamed chat completions on a free port. */
export async function startPlatform(): Promise<Platform> {
  let last: ServerResponse | undefined;
  let sent = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      sent = 0;
      last = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      next();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, next, finish, close };

  function next() {
    write([{ index: 0, delta: { content: `word${sent} ` }, finish_reason: null }]);
    sent += 1;
  }

  function finish() {
    write([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    write([], { usage: counted });
    last?.end('data: [DONE]\n\n');
  }

  function write(choices: readonly object[], more: object = {}) {
    const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
    last?.write(`data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`);
  }

  function close() {
    server.close();
    server.closeAllConnections();
  }
}
