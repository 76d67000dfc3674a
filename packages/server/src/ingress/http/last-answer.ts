import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { systemClock } from '../../lib/clock.ts';
import type { Answer } from '../exchange/answer.ts';

const lingerMs = 2_000;

/** Stops reading, writes, then closes. HEAD gets no body. */
export function writeLastAnswer(
  socket: Duplex,
  { status, headers, body }: Answer,
  method?: string,
): void {
  // Node has released some of these sockets. Without this handler a broken one would end the
  // process, and no timer would end one whose client stays.
  socket.on('error', () => socket.destroy());
  const cut = systemClock.after(lingerMs, () => socket.destroy());
  socket.on('close', cut.cancel);
  const date = new Date(systemClock.now()).toUTCString();
  const length = Buffer.byteLength(body);
  const all = { date, ...headers, 'content-length': length, connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${method === 'HEAD' ? '' : body}`);
}
