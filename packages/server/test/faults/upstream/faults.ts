import type { Operation } from '@model-gateway/contract';
import type { Row } from './expected.ts';
import type { Met, Misbehaviour } from './platform.ts';
import type { Surface } from './surfaces.ts';

export interface Fault {
  readonly name: string;
  readonly does: (surface: Surface, operation: Operation) => Misbehaviour;
  readonly comesTo: Row | ((operation: Operation) => Row);
  /** True if a response without text and tools cannot have this fault. */
  readonly isOfText?: true;
  /** True for a platform behind TLS. */
  readonly isSecure?: true;
}

/** A whole response with `content-length`, unless the headers define its end. */
export function replying(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): (met: Pick<Met, 'socket'>) => void {
  const endsOtherwise = 'content-length' in headers || 'transfer-encoding' in headers;
  const length = endsOtherwise ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...length, ...headers }).map(([name, of]) => `${name}: ${of}`);
  const text = [`HTTP/1.1 ${status} Planned`, ...lines, '', body].join('\r\n');
  return ({ socket }) => void socket.write(text);
}
