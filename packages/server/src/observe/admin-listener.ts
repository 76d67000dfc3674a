import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createRouter } from '../lib/router.ts';

export type Pages = Readonly<Record<string, MakePage>>;

/**
 * Must never be public. Its pages only read; `other` is the console, which can write. Requests from
 * other sites' pages, or under a name that is not in `hosts`, get 403.
 */
export function createAdminListener(parts: {
  readonly pages: Pages;
  readonly log: Log;
  readonly hosts: readonly string[];
  /** Returns false for requests that it does not handle. */
  readonly other?: ((incoming: IncomingMessage, outgoing: ServerResponse) => boolean) | undefined;
  readonly http: ServerOptions;
  /** Undefined accepts every request. */
  readonly isAccepted?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}): Server {
  const find = createRouter(
    Object.entries(parts.pages).flatMap(([path, page]) =>
      ['GET', 'HEAD'].map((method) => ({ method, path, page })),
    ),
  );
  const wrongWith = createOriginCheck(parts.hosts);
  const server = createServer(parts.http, (incoming, outgoing) => {
    if (parts.isAccepted?.(incoming, outgoing) === false) return;
    if (hasTwoHosts(incoming)) return void answer(outgoing, twoHosts);
    if (parts.other?.(incoming, outgoing) === true) return;
    // The page does not wait for a request body, which is discarded.
    incoming.resume();
    void answer(outgoing, pageOf(incoming));
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    if (parts.isAccepted?.(incoming, outgoing) !== false) void answer(outgoing, expectationFailed);
  });
  server.on('clientError', refuseMalformed);
  return server;

  function pageOf({ headers, method = '', url = '' }: IncomingMessage) {
    const fetchSite = headers['sec-fetch-site'];
    const wrong = wrongWith({
      host: headers.host,
      fetchSite: [fetchSite].flat().join() || undefined,
    });
    if (wrong !== undefined) return () => jsonPage(403, { message: `Forbidden: ${wrong}` });
    const [path = '', query = ''] = url.split('?', 2);
    const page = find(method, path)?.route.page ?? notFound;
    return () => page(query, headers.accept);
  }

  async function answer(outgoing: ServerResponse, page: () => Page | Promise<Page>) {
    const { status, contentType, text } = await textOf(page);
    if (outgoing.destroyed) return;
    outgoing.writeHead(status, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    outgoing.end(text);
  }

  async function textOf(page: () => Page | Promise<Page>): Promise<Page> {
    try {
      return await page();
    } catch (error) {
      parts.log.error({ error: String(error) }, 'admin listener request failed');
      return jsonPage(500, { message: 'Internal Server Error' });
    }
  }
}

/** Sends Node's default response, plus the date that Node omits. */
function refuseMalformed({ code = '' }: NodeJS.ErrnoException, socket: Duplex) {
  if (!socket.writable) return void socket.destroy();
  const status = malformedStatuses[code] ?? 400;
  const date = new Date(systemClock.now()).toUTCString();
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  socket.end(`${line}\r\ndate: ${date}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

const malformedStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A proxy in front may have checked the other header. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length > 1;
}

function twoHosts(): Page {
  return jsonPage(400, { message: 'Bad Request: more than one Host header' });
}

function expectationFailed(): Page {
  return jsonPage(417, { message: 'Expectation Failed' });
}

function notFound(): Page {
  return jsonPage(404, { message: 'Not Found' });
}

interface Origins {
  readonly host: string | undefined;
  readonly fetchSite: string | undefined;
}

/**
 * Detects requests that another site's page made an operator's browser send. Such a page can point
 * its own name at this listener and read every response. Returns the fault, or undefined for an
 * allowed request. `hosts` are names of this listener.
 */
function createOriginCheck(hosts: readonly string[]): (origins: Origins) => string | undefined {
  const allowedHosts = new Set(hosts.map((host) => host.toLowerCase()));
  return ({ host, fetchSite }) => {
    if (fetchSite !== undefined && fetchSite !== 'none' && fetchSite !== 'same-origin') {
      return 'the request comes from a page on another site';
    }
    // Every browser sends Host.
    if (host === undefined) return undefined;
    const name = nameOf(host);
    if (allowedHosts.has(name) || isOwn(name)) return undefined;
    return `${JSON.stringify(name.slice(0, nameMax))} is not a name of this listener; add it to admin.hosts in the configuration`;
  };
}

const nameMax = 255;

/**
 * A foreign page can only choose a name in its domain. Addresses and names without a dot belong to
 * this network.
 */
function isOwn(name: string): boolean {
  return isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost');
}

function nameOf(host: string): string {
  const [, literal] = /^\[([^\]]*)\](?::\d*)?$/.exec(host) ?? [];
  if (literal !== undefined) return literal;
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}

export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export type MakePage = (query?: string, accept?: string) => Page | Promise<Page>;

export function jsonPage(status: number, body: object): Page {
  return { status, contentType: 'application/json', text: JSON.stringify(body) };
}
