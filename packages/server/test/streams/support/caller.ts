import type { Stack } from '../../support/stack.ts';
import { createWire, field, textOf, type WireEvent } from './wire.ts';

/** One request for a stream, and its caller's record so far. */
export interface StreamCaller {
  /** 0 before the head. */
  status(): number;
  headers(): Headers;
  readonly events: readonly WireEvent[];
  comments(): number;
  /** The body of a response that is not a stream. */
  body(): unknown;
  /** How it ended: `open` while it has not. */
  end(): 'open' | 'whole' | 'broken' | 'left';
  /** Lets as much time pass as the condition needs. */
  until(isSo: () => boolean): Promise<void>;
  /** Lets as much time pass as its end needs. */
  untilEnd(): Promise<void>;
  leave(): void;
  text(): string;
  last(): WireEvent | undefined;
  /** The name of the last event, and for an error its code. */
  lastWords(): string;
}

export interface StreamRequest {
  readonly path?: string;
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
}

/** Requests a stream and reads it as it arrives. */
export async function startStream(
  stack: Stack,
  app: string,
  body: object,
  request: StreamRequest = {},
): Promise<StreamCaller> {
  const apiKey = await stack.key(app);
  const { path = '/v1/chat/stream', key, headers = {} } = request;
  const leaving = new AbortController();
  const asking = stack.fetch(`http://gateway.test${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      ...{ 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    signal: leaving.signal,
  });
  return follow(stack, asking, leaving);
}

function follow(stack: Stack, asking: Promise<Response>, leaving: AbortController): StreamCaller {
  const wire = createWire();
  let end: ReturnType<StreamCaller['end']> = 'open';
  let head: Response | undefined;
  let body: unknown;
  let problem: unknown;
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const work = read().then(
    () => finish('whole'),
    (error: unknown) => {
      // Errors of the test's own reader must be visible; a broken connection is an end.
      if (!leaving.signal.aborted && head === undefined) problem = error;
      if (error instanceof Error && /no event|JSON|comes again|ends within/.test(error.message)) {
        problem = error;
      }
      finish(leaving.signal.aborted ? 'left' : 'broken');
    },
  );
  return {
    status: () => head?.status ?? 0,
    headers: () => head?.headers ?? new Headers(),
    events: wire.events,
    comments: wire.comments,
    body: () => body,
    end: () => end,
    until,
    async untilEnd() {
      await stack.clock.run(work);
      if (problem !== undefined) throw problem;
    },
    leave: () => leaving.abort(new Error('the caller has left')),
    text: () => textOf(wire.events) + textOf(wire.events, 'json'),
    last: () => wire.events.at(-1),
    lastWords,
  };

  async function read() {
    head = await asking;
    change();
    const type = head.headers.get('content-type') ?? '';
    if (!type.startsWith('text/event-stream')) {
      body = await head.json();
      return;
    }
    for await (const bytes of head.body ?? []) {
      wire.push(bytes);
      change();
    }
    wire.end();
  }

  function finish(how: typeof end) {
    end = how;
    change();
  }

  async function until(isSo: () => boolean) {
    const wait = async () => {
      while (!isSo()) {
        if (end !== 'open') throw new Error(`it ended before it came to it: ${seen()}`);
        await changed.promise;
      }
    };
    await stack.clock.run(wait());
    if (problem !== undefined) throw problem;
  }

  function seen(): string {
    const names = wire.events.map(({ name }) => name).join(' ');
    return `${end}, ${head?.status} ${names} ${JSON.stringify(body)} ${String(problem ?? '')}`;
  }

  function lastWords(): string {
    const last = wire.events.at(-1);
    if (last === undefined) return `${head?.status} ${String(field(body, 'error', 'code'))}`;
    if (last.name !== 'error') return last.name;
    return `error ${String(field(last.data, 'error', 'code'))}`;
  }
}
