import { connect, type Socket } from 'node:net';
import { until } from '../../../../harness/until.ts';

/** One response as its bytes arrived. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** A connection on which a test writes any bytes. */
export interface RawConnection {
  readonly socket: Socket;
  write(text: string | Uint8Array): void;
  /** The next complete response; rejects when the connection ends without one. */
  answer(options?: { readonly hasBody?: boolean }): Promise<RawAnswer>;
  /** Resolves when the other side has ended the connection. */
  ended(): Promise<void>;
  close(): void;
}

/** Opens a connection to a port of this machine. */
export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = Buffer.alloc(0);
  let isEnded = false;
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const wake of waiting) wake();
  };
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, Buffer.from(chunk)]);
    notify();
  });
  const onEnd = () => {
    isEnded = true;
    notify();
  };
  // A reset by the other side is an end: tests check the bytes before it.
  socket.on('error', onEnd).on('end', onEnd).on('close', onEnd);
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    write: (text) => void socket.write(text),
    answer,
    async ended() {
      await until(() => isEnded);
    },
    close: () => void socket.destroy(),
  };

  function changed(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        waiting.delete(wake);
        resolve();
      };
      waiting.add(wake);
    });
  }

  async function answer({ hasBody = true } = {}): Promise<RawAnswer> {
    for (;;) {
      const found = readAnswer(received, hasBody);
      if (found !== undefined) {
        received = received.subarray(found.bytes);
        return found.answer;
      }
      if (isEnded) throw new Error(`ended after ${JSON.stringify(received.toString())}`);
      await changed();
    }
  }
}

/** One request on its own connection: writes, and waits for the response. */
export async function exchangeRaw(port: number, request: string | Uint8Array): Promise<RawAnswer> {
  const connection = await openRaw(port);
  connection.write(request);
  const answer = await connection.answer();
  connection.close();
  return answer;
}

/** A request as text; the body's length is included. */
export function requestText(
  line: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const all = Object.entries({ host: 'gateway.test', ...length, ...headers });
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

function readAnswer(received: Buffer, hasBody: boolean) {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = received.subarray(0, headEnd).toString().split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const isInterim = status >= 100 && status < 200;
  const length = isInterim || !hasBody ? 0 : Number(headers.get('content-length') ?? 0);
  const bytes = headEnd + 4 + length;
  if (received.length < bytes) return undefined;
  const text = received.subarray(headEnd + 4, bytes).toString();
  return { bytes, answer: { status, headers, text } };
}
