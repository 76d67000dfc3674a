import type { ReadInvoice } from '../../invoices/read-invoice.ts';
import type { ConsoleError } from '../../operations/context/console-error.ts';

// What the thread of an upload is asked, one request after the other, and what it replies.

/** Its stream is transferred. */
export interface SentSource {
  readonly name: string;
  readonly chunks: ReadableStream<Uint8Array>;
  readonly hasPages?: boolean;
}

export interface UploadWork {
  open: (request: { readonly body: Uint8Array; readonly schema: object }) => OpenedBody;
  /** Those of the body unless set. */
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
