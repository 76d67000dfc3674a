import type { IncomingMessage } from 'node:http';
import { headerNames } from '@model-gateway/contract';

export interface Head {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string | undefined;
  readonly httpVersion: string;
  readonly header: (name: string) => string | undefined;
  readonly isRepeated: (name: string) => boolean;
}

export function headOf(incoming: IncomingMessage): Head {
  const { method = '', url = '/', httpVersion, headers } = incoming;
  return createHead({ method, target: url, httpVersion }, incoming.rawHeaders, (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  });
}

function createHead(
  line: Pick<Head, 'method' | 'target' | 'httpVersion'>,
  rawHeaders: readonly string[],
  header: Head['header'],
): Head {
  const { method, target, httpVersion } = line;
  const queryAt = target.indexOf('?');
  const query = queryAt === -1 ? undefined : target.slice(queryAt + 1);
  return { method, target, path: pathOf(target), query, httpVersion, header, isRepeated };

  function isRepeated(name: string): boolean {
    let count = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const header = rawHeaders[index];
      if (header?.length === name.length && header.toLowerCase() === name) count += 1;
    }
    return count > 1;
  }
}

/** RFC 3986: host and port; may be empty. */
const hostPattern = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?$/i;

const absolutePattern = /^https?:\/\/([^/?#]+)/i;

/**
 * True for requests that Node's parser accepts, but that RFC 9112 or the contract forbids, or that
 * are ambiguous.
 */
export function isMalformed({ httpVersion, header, isRepeated, target }: Head): boolean {
  const host = header('host');
  if (httpVersion === '0.9' || (host === undefined && httpVersion === '1.1')) return true;
  if (isRepeated('host') || isRepeated(headerNames.apiKey)) return true;
  if (host !== undefined && !hostPattern.test(host)) return true;
  const coding = header('transfer-encoding');
  // A body in another coding would be misread.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  return !target.startsWith('/') && hasBadAuthority(target);
}

function hasBadAuthority(target: string): boolean {
  if (!/^https?:/i.test(target)) return false;
  const authority = absolutePattern.exec(target)?.[1];
  return authority === undefined || !hostPattern.test(authority);
}

/**
 * Byte for byte, so path filters in front see the served path. For an absolute URL, the part after
 * its host.
 */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  const address = end === -1 ? target : target.slice(0, end);
  if (address.startsWith('/')) return address;
  const path = address.replace(absolutePattern, '');
  return path === '' ? '/' : path;
}

const requestLinePattern = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/(1\.[01])$/;
/** Two repeats over the same bytes would take quadratic time, so blanks come first. */
const headerLinePattern =
  /^([!#$%&'*+.^_`|~\w-]+):[ \t]*((?:[\x21-\x7e\x80-\xff][\t\x20-\x7e\x80-\xff]*)?)$/;

export interface UnknownMethod {
  readonly method: string;
  readonly target: string;
  /** Undefined if header lines are missing. */
  readonly head: Head | undefined;
}

/**
 * Undefined for an invalid request line or header. `too-long` above `headBytesMax`, the limit for
 * clients without a key.
 */
export function readUnknownMethod(
  packet: Buffer,
  errorAt: number,
  headBytesMax: number,
): UnknownMethod | 'too-long' | undefined {
  const start = startOf(packet, errorAt, headBytesMax);
  const text = packet.toString('latin1', start, start + headBytesMax);
  const isTooLong = packet.length - start > headBytesMax && !text.includes('\r\n\r\n');
  const [requestLine, rest] = cut(text, '\r\n');
  if (rest === undefined) {
    return isTooLong && begunLinePattern.test(requestLine) ? 'too-long' : undefined;
  }
  const [, method, target, httpVersion] = requestLinePattern.exec(requestLine) ?? [];
  if (method === undefined || target === undefined || httpVersion === undefined) return undefined;
  if (isTooLong) return 'too-long';
  const [lines, end] = rest.startsWith('\r\n') ? ['', ''] : cut(rest, '\r\n\r\n');
  if (end === undefined) return { method, target, head: undefined };
  const rawHeaders: string[] = [];
  for (const line of lines === '' ? [] : lines.split('\r\n')) {
    const [, name, value] = headerLinePattern.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    rawHeaders.push(name, value.trimEnd());
  }
  const line = { method, target, httpVersion };
  const head = createHead(line, rawHeaders, (name) => headerIn(rawHeaders, name));
  return { method, target, head };
}

/** Also matches invalid targets and versions, but no header line. */
const brokenLinePattern = /^[!#$%&'*+.^_`|~\w-]+ (\S+) (?:.* )?HTTP\//gm;
const begunLinePattern = /^[!#$%&'*+.^_`|~\w-]+ (\S+)/;

/** Undefined without a request line before `errorAt`. Reads at most `headBytesMax` on each side. */
export function targetBefore(
  packet: Buffer,
  errorAt: number,
  headBytesMax: number,
): string | undefined {
  const from = Math.max(0, errorAt - headBytesMax);
  const text = packet.toString('latin1', from, errorAt + headBytesMax);
  const matches = [...text.matchAll(brokenLinePattern)];
  const lines = matches.filter(({ index }) => from + index <= errorAt);
  const begun = () => begunLinePattern.exec(packet.toString('latin1', 0, headBytesMax));
  return (lines.at(-1) ?? begun())?.[1];
}

function startOf(packet: Buffer, errorAt: number, headBytesMax: number): number {
  const first = Math.max(0, errorAt - headBytesMax);
  let start = errorAt;
  while (start > first && /[\w-]/.test(packet.toString('latin1', start - 1, start))) start -= 1;
  return start;
}

function cut(text: string, at: string): readonly [string, string | undefined] {
  const index = text.indexOf(at);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + at.length)];
}

function headerIn(rawHeaders: readonly string[], name: string): string | undefined {
  const index = rawHeaders.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return index === -1 ? undefined : rawHeaders[index + 1];
}
