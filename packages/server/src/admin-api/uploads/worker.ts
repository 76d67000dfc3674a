import { Buffer } from 'node:buffer';
import { parentPort } from 'node:worker_threads';
import { InvoiceError } from '../../invoices/invoice-error.ts';
import { type InvoiceSource, type ReadInvoice, readInvoice } from '../../invoices/read-invoice.ts';
import { lowerThreadPriority } from '../../lib/thread-priority.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';
import type { UploadedFile } from '../../operations/documents/shapes.ts';
import { parseJsonBody } from '../http/http.ts';
import { checkFits } from '../http/validate.ts';
import type { UploadReply, UploadRequest, UploadWork } from './uploads.ts';

/** One upload: a JSON body with its files, or a raw file. ADR 0119. */
let files: readonly InvoiceSource[] = [];
let invoice: ReadInvoice | undefined;

lowerThreadPriority();
parentPort?.on('message', (request: UploadRequest) => void reply(request));

async function reply(request: UploadRequest): Promise<void> {
  parentPort?.postMessage(await replyTo(request));
}

async function replyTo(request: UploadRequest): Promise<UploadReply> {
  try {
    return { result: await resultOf(request) };
  } catch (error) {
    if (error instanceof InvoiceError) return { invoiceFault: error.message };
    if (!(error instanceof ConsoleError)) throw error;
    const { code, message, field } = error;
    return { bodyFault: { code, message, field } };
  }
}

async function resultOf(request: UploadRequest): Promise<ReturnType<UploadWork[keyof UploadWork]>> {
  if (request.kind === 'open') return open(request);
  if (request.kind === 'read') {
    const {
      figureOf: _figure,
      rowsOf: _rows,
      ...read
    } = await readSources(request.sources ?? files);
    return read;
  }
  if (invoice === undefined) throw new Error('no invoice was read');
  if (request.kind === 'figureOf') return invoice.figureOf(request.day);
  return invoice.rowsOf(request.day, request.from, request.count);
}

async function readSources(sources: readonly InvoiceSource[]): Promise<ReadInvoice> {
  invoice = await readInvoice(sources);
  return invoice;
}

function open({ body, schema }: UploadRequest & { readonly kind: 'open' }) {
  const upload: unknown = parseJsonBody(body);
  checkFits(schema, upload);
  const { files: written, ...sent } = Object(upload);
  files = Array.from<UploadedFile, InvoiceSource>(written, sourceOf);
  return { ...sent, fileNames: files.map(({ name }) => name) };
}

function sourceOf(file: UploadedFile): InvoiceSource {
  const bytes =
    'text' in file ? Buffer.from(file.text, 'utf8') : Buffer.from(file.base64, 'base64');
  return { name: file.name, chunks: chunksOf(bytes) };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
