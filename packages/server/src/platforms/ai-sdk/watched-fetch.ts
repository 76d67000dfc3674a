import { AsyncLocalStorage } from 'node:async_hooks';
import { LoadSettingError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import type { Flow } from '../http/flow.ts';
import {
  type AnswerHead,
  answerBytesFor,
  isFailure,
  type OpenReader,
  type Send,
  type SendRequest,
  type SendResponse,
  type ToldId,
  type Transport,
  type TransportFailure,
} from '../http/transport.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import type { PlatformContext } from '../model/port.ts';
import type { Follower } from '../wires/stream/follower.ts';
import { type Fetched, fetchedOf, fetchedStream } from './fetched.ts';
import { isEventStream, LibraryStream } from './library-stream.ts';
import { bodyWithin } from './thinking-budget.ts';

/** What one attempt sent, and what came of it, whatever the library makes of it. */
export interface Watched {
  readonly signal: AbortSignal;
  readonly app: string | undefined;
  readonly told: ToldId | undefined;
  /** What the attempt asks for at most. */
  readonly maxTokens: number;
  /** Of an attempt that is followed: its follower, and what holds its reader back. */
  readonly streamed?: { readonly follower: Follower; readonly flow: Flow };
  /** The head of the answer that comes as a stream. */
  streamHead?: AnswerHead;
  /** That answer on its way to the library. */
  stream?: Pick<LibraryStream, 'isDone' | 'lastEvent'>;
  /** The last answer that was collected. */
  response: SendResponse | undefined;
  /** Why the last exchange brought none. */
  failure: TransportFailure | undefined;
}

/** A `fetch` for a library, over our own transport, that tells what each attempt did. */
export interface WatchedFetch {
  readonly fetch: (input: unknown, init?: FetchInit) => Promise<Fetched>;
  /** Runs one attempt; whatever it fetches is its own. */
  watch<T>(watched: Watched, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

type GivenHeaders = ConstructorParameters<typeof Headers>[0];

/** What libraries give beside the URL. */
export interface FetchInit {
  readonly method?: string;
  readonly headers?: GivenHeaders;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/** Hosts are the package's own, and of its options: each gets its connections when first asked. */
export function createWatchedFetch({
  onUnsolicited,
  openShares,
  way,
}: Pick<PlatformContext, 'onUnsolicited' | 'openShares' | 'way'>): WatchedFetch {
  const attempts = new AsyncLocalStorage<Watched>();
  const transports = new Map<string, Transport>();
  return {
    fetch,
    watch: (watched, work) => attempts.run(watched, work),
    async close() {
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };

  async function fetch(input: unknown, init: FetchInit = {}): Promise<Fetched> {
    const watched = attempts.getStore();
    const url = String(input);
    if (!URL.canParse(url)) throw new LoadSettingError({ message: 'the base URL is no URL' });
    const { origin, pathname, search } = new URL(url);
    const { method = 'GET', body: given = '' } = init;
    if (typeof given !== 'string')
      throw new UnsupportedFunctionalityError({ functionality: 'files' });
    const headers = headersOf(init.headers);
    const isSigned = headers.authorization?.startsWith('AWS4-') === true;
    const body = bodyWithin(watched?.maxTokens ?? Infinity, given, isSigned);
    if (method === 'POST' && isSent(watched)) return fail(watched, sentAlready);
    const request = {
      ...{ method, body, path: pathname + search, headers },
      answerBytesMax: bytesFor(watched?.maxTokens, body),
      signal: init.signal ?? watched?.signal ?? new AbortController().signal,
      app: watched?.app,
      told: watched?.told,
    };
    const { send } = transportTo(origin);
    if (watched?.streamed !== undefined) return sendStream(send, request, watched);
    const sent = await send(request);
    if (isFailure(sent)) return fail(watched, sent);
    if (watched !== undefined) watched.response = sent;
    return fetchedOf(sent);
  }

  function transportTo(origin: string): Transport {
    const transport =
      transports.get(origin) ??
      createUndiciTransport({ baseUrl: origin, onUnsolicited, openShares, way });
    transports.set(origin, transport);
    return transport;
  }
}

/** Gives an answer as soon as its head has come, where its events can be looked at on the way. */
function sendStream(send: Send, request: SendRequest, watched: Watched): Promise<Fetched> {
  const { maxTokens, streamed } = watched;
  let stream: LibraryStream | undefined;
  return new Promise((resolve, reject) => {
    const openReader: OpenReader = (head, flow) => {
      if (streamed === undefined || !isEventStream(head)) return undefined;
      watched.streamHead = head;
      streamed.follower.begin(streamed.flow);
      stream = new LibraryStream(flow, streamed.follower, maxTokens);
      watched.stream = stream;
      resolve(fetchedStream(head, stream.body));
      return stream;
    };
    void send({ ...request, openReader }).then((sent) => {
      if (isFailure(sent)) {
        watched.failure ??= sent;
        const error = new Error(sent.message);
        if (stream === undefined) reject(error);
        else stream.fail(error);
      } else if (stream === undefined) {
        watched.response = sent;
        resolve(fetchedOf(sent));
      } else {
        stream.close();
      }
    });
  });
}

function bytesFor(maxTokens: number | undefined, body: string): number | undefined {
  return maxTokens === undefined ? undefined : answerBytesFor(maxTokens, Buffer.byteLength(body));
}

function isSent(watched: Watched | undefined): boolean {
  if (watched === undefined) return false;
  const { response, failure, streamHead } = watched;
  return response !== undefined || failure !== undefined || streamHead !== undefined;
}

/** A request that may have been billed must not be sent a second time in silence. */
const sentAlready: TransportFailure = {
  kind: 'unusable',
  wasSent: true,
  causeCode: 'SENT_ALREADY',
  message: 'the package wanted to send a second request',
  answer: undefined,
};

/** A library knows no other failure of a `fetch` than an error; the attempt is told what it was. */
function fail(watched: Watched | undefined, failure: TransportFailure): never {
  if (watched !== undefined) watched.failure ??= failure;
  throw new Error(failure.message);
}

function headersOf(given: GivenHeaders): Record<string, string> {
  // Compressed answers are not taken.
  return { ...Object.fromEntries(new Headers(given)), 'accept-encoding': 'identity' };
}
