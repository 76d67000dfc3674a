import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A platform that writes as much as its reader accepts, and counts it. */
export interface Upstream {
  readonly url: string;
  /** The progress of each call, in the order of arrival. */
  readonly calls: readonly UpstreamCall[];
  close(): Promise<void>;
}

export interface UpstreamCall {
  /** Bytes of text that were written to its socket. */
  textBytes: number;
  /** Whether its socket is currently full. */
  isHeld: boolean;
  /** Whether its connection was closed. */
  isCut: boolean;
  readonly break: () => void;
}

/** The output of each call. */
export interface UpstreamPlan {
  /** The text of one delta. */
  readonly delta: string;
  readonly deltas: number;
  /** Whether it is silent after them, and does not end. */
  readonly isEndless?: true;
  /** Its counts at its end. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Serves chat completions that stream, on a free port. */
export async function startUpstream(plan: UpstreamPlan): Promise<Upstream> {
  const calls: UpstreamCall[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const call: UpstreamCall = {
        ...{ textBytes: 0, isHeld: false, isCut: false },
        break: () => void response.destroy(),
      };
      calls.push(call);
      response.on('close', () => {
        call.isCut ||= !response.writableFinished;
      });
      void write(response, call, plan);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function write(response: ServerResponse, call: UpstreamCall, plan: UpstreamPlan) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_upstream' });
  const bytes = Buffer.byteLength(plan.delta);
  const piece = chunkOf([{ index: 0, delta: { content: plan.delta }, finish_reason: null }]);
  for (let at = 0; at < plan.deltas && !response.destroyed; at++) {
    call.textBytes += bytes;
    if (response.write(piece)) continue;
    call.isHeld = true;
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
    waiting.abort();
    call.isHeld = false;
  }
  if (response.destroyed || plan.isEndless) return;
  const { inputTokens, outputTokens } = plan.usage;
  const usage = {
    ...{ prompt_tokens: inputTokens, completion_tokens: outputTokens },
    total_tokens: inputTokens + outputTokens,
  };
  response.write(chunkOf([{ index: 0, delta: {}, finish_reason: 'stop' }]));
  response.write(chunkOf([], { usage }));
  response.end('data: [DONE]\n\n');
}

function chunkOf(choices: readonly object[], more: object = {}): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'up' };
  return `data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`;
}
