import { createServer, type Server, type ServerResponse } from 'node:http';
import { httpOptions } from '../edge/http-options.ts';
import type { Log } from '../lib/log.ts';
import { jsonPage, type Page } from './page.ts';

/** The pages by their paths; each is made anew for every request. */
export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>;

/**
 * The second listener: for operators and their machines, never public. It shows pages and changes
 * nothing: every method but GET, and every other path, is 404.
 */
export function createAdminListener(parts: { readonly pages: Pages; readonly log: Log }): Server {
  const pages = new Map(Object.entries(parts.pages));
  return createServer(httpOptions, (incoming, outgoing) => {
    const [path = ''] = (incoming.url ?? '').split('?');
    const page = incoming.method === 'GET' ? pages.get(path) : undefined;
    // A page is made while the request's body, if any, is dropped: nobody reads it.
    incoming.resume();
    void show(outgoing, page ?? notFound);
  });

  async function show(outgoing: ServerResponse, page: () => Page | Promise<Page>) {
    const { status, contentType, text } = await made(page);
    if (outgoing.destroyed) return;
    outgoing.writeHead(status, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    outgoing.end(text);
  }

  async function made(page: () => Page | Promise<Page>): Promise<Page> {
    try {
      return await page();
    } catch (error) {
      parts.log.error({ error: String(error) }, 'a page of the admin listener failed');
      return jsonPage(500, { message: 'Internal Server Error' });
    }
  }
}

function notFound(): Page {
  return jsonPage(404, { message: 'Not Found' });
}
