import { connect, type Socket } from 'node:net';

/** One kept-alive HTTP/1.1 connection that carries one call at a time. */
export interface Connection {
  /**
   * Sends a whole request; `onAnswer` is called once, with a problem if the response is missing.
   */
  send(request: readonly Buffer[], onAnswer: (answer: RawAnswer) => void): void;
  /** False once either side has ended it, or the last response announced the end. */
  isOpen(): boolean;
  close(): void;
}

/** A response as received: its status line and its body's text. */
export interface RawAnswer {
  readonly status: number;
  readonly body: string;
  /** Why the response is missing; the connection is unusable from then on. */
  readonly problem: string | undefined;
  /** Whether any byte of a response arrived. */
  readonly hasBegun: boolean;
}

/**
 * Opens a connection. It supports only the HTTP that our own sides need: a response is framed by
 * its length, or in chunks. Node's own clients cost as much a call as the whole floor, and on two
 * cores they would dominate the figures. A `localAddress` makes it the connection of another
 * machine.
 */
export function openConnection(url: string, localAddress?: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const from = localAddress === undefined ? {} : { localAddress };
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, ...from });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(follow(socket));
    });
  });
}

function follow(socket: Socket): Connection {
  let waiting: ((answer: RawAnswer) => void) | undefined;
  let text = '';
  let isLast = false;
  const end = (answer: RawAnswer) => {
    const onAnswer = waiting;
    waiting = undefined;
    text = '';
    onAnswer?.(answer);
  };
  const fail = (problem: string) => end({ status: 0, body: '', problem, hasBegun: text !== '' });
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const answer = readAnswer(text);
    if (answer === undefined) return;
    isLast = /\r\nconnection: *close\r\n/i.test(text);
    end(answer);
  });
  socket.on('error', (error) => fail(error.message));
  socket.on('end', () => {
    isLast = true;
  });
  socket.on('close', () => fail('the connection was closed'));
  return {
    send(request, onAnswer) {
      waiting = onAnswer;
      if (socket.destroyed) return fail('the connection was closed before');
      if (request.length > 1) socket.cork();
      for (const part of request) socket.write(part);
      if (request.length > 1) socket.uncork();
    },
    isOpen: () => !isLast && !socket.destroyed,
    close: () => void socket.destroy(),
  };
}

/** The response, once it is complete. Characters are bytes. */
function readAnswer(text: string): RawAnswer | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = text.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isWhole =
    length === undefined
      ? text.endsWith('\r\n0\r\n\r\n')
      : text.length >= headEnd + 4 + Number(length);
  if (!isWhole) return undefined;
  const status = Number(head.slice(9, 12));
  return { status, body: text.slice(headEnd + 4), problem: undefined, hasBegun: true };
}
