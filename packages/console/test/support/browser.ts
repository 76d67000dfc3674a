import { Window } from 'happy-dom';
import { h, options, render } from 'preact';
import { onTestFinished } from 'vitest';
import { clearAll } from '../../src/data/read.ts';
import { Console } from '../../src/shell/console.tsx';

/** A fake service's responses by path: a document, or a rejection. */
export type Answers = (
  path: string,
  request: { readonly method: string; readonly body: unknown; readonly headers: Headers },
) => Answer | undefined;

/** A document or a rejection; the response comes when `held` has ended. */
interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly etag?: string;
  readonly held?: Promise<void>;
}

/** The pages take these from the browser's global object. */
const taken = [
  ...(['document', 'location', 'history', 'localStorage', 'HTMLElement', 'FormData'] as const),
  ...([
    'addEventListener',
    'removeEventListener',
    'Event',
    'KeyboardEvent',
    'navigator',
    'ResizeObserver',
  ] as const),
];

/** Runs effects soon after drawing, since a fake browser has no frames. */
const nextFrame = (draw: () => void) => void setImmediate(draw);

/**
 * The console in a browser without a screen, at an address, with a fake service. The end of the
 * test closes it.
 */
export function openBrowser(address: string, answers: Answers) {
  const window = new Window({ url: `http://127.0.0.1:8788${address}` });
  // The fake browser has no popovers.
  Object.assign(window.HTMLElement.prototype, { hidePopover: () => undefined });
  const requests: { path: string; method: string; body: unknown; headers: Headers }[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const own: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(taken.map((name) => [name, bound(window, name)])),
    scrollTo: () => undefined,
    async fetch(url: string, { method = 'GET', body, headers }: RequestInit = {}) {
      const request = {
        ...{ path: url.replace('/admin/v1', ''), method, headers: new Headers(headers) },
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
      };
      const answer = answers(request.path, request);
      if (request.path === '/events' && answer?.status !== 401) return eventsTo(streams);
      requests.push(request);
      if (answer === undefined) throw new TypeError('fetch failed');
      await answer.held;
      const { status = 200, etag } = answer;
      return Response.json(answer.body, { status, headers: etag === undefined ? {} : { etag } });
    },
  };
  const before = Object.keys(own).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  options.requestAnimationFrame = nextFrame;
  // Popovers are always in the document here, open or not.
  Reflect.set(window.HTMLElement.prototype, 'hidePopover', () => undefined);
  document.addEventListener('click', openPopover);
  const root = document.createElement('div');
  document.body.append(root);
  render(h(Console, {}), root);
  onTestFinished(async () => {
    render(null, root);
    clearAll();
    // Effects end in the next frame, and need the page until then.
    await new Promise<void>(nextFrame);
    Reflect.deleteProperty(options, 'requestAnimationFrame');
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
    await window.happyDOM.close();
  });
  return {
    asked: requests,
    window,
    text: () => document.body.textContent ?? '',
    /** Sends a change event, as the service does. */
    notify(topic: string) {
      const data = JSON.stringify({ topic });
      const event = new TextEncoder().encode(`event: changed\ndata: ${data}\n\n`);
      for (const stream of streams) stream.enqueue(event);
    },
  };
}

/** Announces the opening of a clicked button's popover, as a browser does. */
function openPopover({ target }: Event): void {
  const button = target instanceof HTMLElement ? target.closest('[popovertarget]') : null;
  const popover = document.getElementById(button?.getAttribute('popovertarget') ?? '');
  popover?.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' }));
}

function bound(window: Window, name: (typeof taken)[number]): unknown {
  const value: unknown = window[name];
  return name.endsWith('EventListener') && typeof value === 'function' ? value.bind(window) : value;
}

/** A stream of events that a test sends. */
function eventsTo(streams: Set<ReadableStreamDefaultController<Uint8Array>>): Response {
  const body = new ReadableStream<Uint8Array>({ start: (stream) => void streams.add(stream) });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
