import { AsyncLocalStorage } from 'node:async_hooks';
import { LoadSettingError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import type { Flow } from '../http/flow.ts';
import {
  type AnswerHead,
  answerBytesFor,
  isFailure,
  type OpenReader,
  type RequestIdHolder,
  type Send,
  type SendRequest,
  type SendResponse,
  type Transport,
  type TransportFailure,
} from '../http/transport.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import type { PlatformContext } from '../model/port.ts';
import type { Follower } from '../wires/stream/follower.ts';
import { type FetchedResponse, fetchedOf, fetchedStream } from './fetched.ts';
import { isEventStream, LibraryStream } from './library-stream.ts';
import { bodyWithin } from './thinking-budget.ts';

export interface WatchedAttempt {
  readonly signal: AbortSignal;
  readonly app: string | undefined;
  readonly requestIdHolder: RequestIdHolder | undefined;
  readonly maxTokens: number;
  readonly streamed?: { readonly follower: Follower; readonly flow: Flow };
  streamHead?: AnswerHead;
  stream?: Pick<LibraryStream, 'isDone' | 'lastEvent'>;
  response: SendResponse | undefined;
  failure: TransportFailure | undefined;
}

export interface WatchedFetch {
  readonly fetch: (input: unknown, init?: FetchInit) => Promise<FetchedResponse>;
  /** Attributes all fetches within `work` to it. */
  watch<T>(watched: WatchedAttempt, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

type GivenHeaders = ConstructorParameters<typeof Headers>[0];

export interface FetchInit {
  readonly method?: string;
  readonly headers?: GivenHeaders;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/** Packages choose their hosts, so connections open on first use. */
export function createWatchedFetch({
  onUnsolicited,
  openShares,
  way,
}: Pick<PlatformContext, 'onUnsolicited' | 'openShares' | 'way'>): WatchedFetch {
  const attempts = new AsyncLocalStorage<WatchedAttempt>();
  const transports = new Map<string, Transport>();
  return {
    fetch,
    watch: (watched, work) => attempts.run(watched, work),
    async close() {
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };

  async function fetch(input: unknown, init: FetchInit = {}): Promise<FetchedResponse> {
    const watched = attempts.getStore();
    const url = String(input);
    if (!URL.canParse(url))
      throw new LoadSettingError({ message: 'the base URL is not a valid URL' });
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
      requestIdHolder: watched?.requestIdHolder,
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

/** Returns at the response's head if its events can be checked on arrival. */
function sendStream(
  send: Send,
  request: SendRequest,
  watched: WatchedAttempt,
): Promise<FetchedResponse> {
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

function isSent(watched: WatchedAttempt | undefined): boolean {
  if (watched === undefined) return false;
  const { response, failure, streamHead } = watched;
  return response !== undefined || failure !== undefined || streamHead !== undefined;
}

/** A request that might have been billed must not be resent silently. */
const sentAlready: TransportFailure = {
  kind: 'unusable',
  wasSent: true,
  causeCode: 'SENT_ALREADY',
  message: 'the package tried to send a second request',
  answer: undefined,
};

/** Libraries only understand a thrown error; `watched` stores the real failure. */
function fail(watched: WatchedAttempt | undefined, failure: TransportFailure): never {
  if (watched !== undefined) watched.failure ??= failure;
  throw new Error(failure.message);
}

function headersOf(given: GivenHeaders): Record<string, string> {
  // The gateway reads no compressed responses.
  return { ...Object.fromEntries(new Headers(given)), 'accept-encoding': 'identity' };
}
