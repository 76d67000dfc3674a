import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { InvoiceError } from '../../invoices/invoice-error.ts';
import type { InvoiceSource, ReadInvoice, ReadSources } from '../../invoices/read-invoice.ts';
import type { Clock } from '../../lib/clock.ts';
import { fieldOf } from '../../lib/json-value.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';

export interface Uploads {
  /**
   * The thread ends with the work. Throws CONFLICT while other work runs. The work fails with
   * INVALID if `disconnected` fires while a body is read.
   */
  run<Result>(
    disconnected: AbortSignal,
    work: (thread: UploadThread) => Promise<Result>,
  ): Promise<Result>;
}

export interface UploadThread {
  /** Throws like the dispatcher for an invalid body. */
  open(body: Uint8Array, schema: object): Promise<ReturnType<UploadWork['open']>>;
  /** The files of that body. Throws an InvoiceError. */
  readFiles(): Promise<ReadInvoice>;
  /** Throws an InvoiceError. */
  readonly read: ReadSources;
}

/** An upload needs 150 MB in total. */
const resourceLimits = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 4 };

/** A small file can unpack to many rows. */
const uploadMs = 600_000;

export function createUploads(clock: Pick<Clock, 'after'>): Uploads {
  let isBusy = false;
  return {
    async run(disconnected, work) {
      if (isBusy) {
        throw new ConsoleError(
          'CONFLICT',
          'Another invoice is being read; try again when it is done',
        );
      }
      isBusy = true;
      const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
      const timeout = new AbortController();
      const timer = clock.after(uploadMs, () => timeout.abort());
      const ended = AbortSignal.any([disconnected, timeout.signal]);
      const worker = new Worker(new URL(file, import.meta.url), { resourceLimits });
      worker.unref();
      try {
        return await work(createThread(worker, { disconnected, ended }));
      } finally {
        timer.cancel();
        isBusy = false;
        await worker.terminate();
      }
    },
  };
}

function createThread(
  worker: Worker,
  { disconnected, ended }: Readonly<Record<'disconnected' | 'ended', AbortSignal>>,
): UploadThread {
  return {
    open: (body, schema) => ask<'open'>({ kind: 'open', body, schema }),
    readFiles: () => readInvoice({ kind: 'read' }, []),
    async read(sources) {
      const failures: unknown[] = [];
      const sent = sources.map((source) => ({ ...source, chunks: streamOf(source, failures) }));
      const streams = sent.map(({ chunks }) => chunks);
      return readInvoice({ kind: 'read', sources: sent }, streams).catch((error) => {
        // The thread's error does not contain the cause of a source's failure.
        throw failures[0] ?? error;
      });
    },
  };

  async function readInvoice(request: RequestOf<'read'>, streams: readonly SentSource['chunks'][]) {
    const invoice = await ask<'read'>(request, streams);
    return {
      ...invoice,
      figureOf: (day: string) => ask<'figureOf'>({ kind: 'figureOf', day }),
      rowsOf: (day: string, from: number, count: number) =>
        ask<'rowsOf'>({ kind: 'rowsOf', day, from, count }),
    };
  }

  /** A disconnected client ends only the reading; writing continues to its end. */
  async function ask<Kind extends keyof UploadWork>(
    request: RequestOf<Kind>,
    streams: readonly SentSource['chunks'][] = [],
  ): Promise<ReturnType<UploadWork[Kind]>> {
    const isReading = request.kind === 'open' || request.kind === 'read';
    const replied = once(worker, 'message', isReading ? { signal: ended } : {});
    worker.postMessage(request, streams);
    const reply: UploadReply<Kind> = (await replied.catch(failOf))[0];
    if ('result' in reply) return reply.result;
    if ('invoiceFault' in reply) throw new InvoiceError(reply.invoiceFault);
    const { code, message, field } = reply.bodyFault;
    throw new ConsoleError(code, message, field === undefined ? {} : { field });
  }

  function failOf(error: unknown): never {
    if (disconnected.aborted)
      throw new ConsoleError('INVALID', 'The request ended before its body');
    if (ended.aborted) throw tooLarge('takes more than 10 minutes');
    if (fieldOf(error, 'code') !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw tooLarge('takes too much memory');
  }
}

function tooLarge(fault: string): ConsoleError {
  const fix = 'import fewer days at once, or use `reconcile import`';
  return new ConsoleError('TOO_LARGE', `The invoice ${fault}; ${fix}`);
}

type RequestOf<Kind extends keyof UploadWork> = UploadRequest & { readonly kind: Kind };

function streamOf({ chunks }: InvoiceSource, failures: unknown[]): SentSource['chunks'] {
  return ReadableStream.from(noting());

  async function* noting(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }
}

// The requests to an upload's thread, sent one after another, and its replies.

interface SentSource {
  readonly name: string;
  readonly chunks: ReadableStream<Uint8Array>;
  readonly hasPages?: boolean;
}

export interface UploadWork {
  open: (request: { readonly body: Uint8Array; readonly schema: object }) => OpenedBody;
  /** Default: the sources of the body. */
  read: (request: {
    readonly sources?: readonly SentSource[];
  }) => Omit<ReadInvoice, 'figureOf' | 'rowsOf'>;
  figureOf: (request: { readonly day: string }) => Awaited<ReturnType<ReadInvoice['figureOf']>>;
  rowsOf: (request: {
    readonly day: string;
    readonly from: number;
    readonly count: number;
  }) => Awaited<ReturnType<ReadInvoice['rowsOf']>>;
}

interface OpenedBody {
  readonly fileNames: readonly string[];
  readonly reason?: string;
}

export type UploadRequest = {
  [Kind in keyof UploadWork]: { readonly kind: Kind } & Parameters<UploadWork[Kind]>[0];
}[keyof UploadWork];

export type UploadReply<Kind extends keyof UploadWork = keyof UploadWork> =
  | { readonly result: ReturnType<UploadWork[Kind]> }
  | { readonly invoiceFault: string }
  | { readonly bodyFault: Pick<ConsoleError, 'code' | 'message' | 'field'> };
