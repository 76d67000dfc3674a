import { readFileSync } from 'node:fs';
import type { InvoiceLine } from '../../src/invoices/invoice-line.ts';
import { type ReadInvoice, readInvoice } from '../../src/invoices/read-invoice.ts';
import { linesMax } from '../../src/invoices/tally.ts';

/** A file of `fixtures`. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
}

/** An invoice with all of its lines, by day. */
type WholeInvoice = Omit<ReadInvoice, 'figureOf' | 'rowsOf'> & {
  readonly lines: readonly InvoiceLine[];
};

/** Reads these files, cut into pieces of this many bytes. */
export async function readFiles(
  files: readonly (string | Uint8Array)[],
  pieceSize = 65_536,
): Promise<WholeInvoice> {
  const {
    figureOf: _figure,
    rowsOf,
    ...invoice
  } = await readInvoice(
    files.map((file, index) => ({ name: `file ${index + 1}`, chunks: piecesOf(file, pieceSize) })),
  );
  const lines: InvoiceLine[] = [];
  for (const day of invoice.days) {
    const rows: Readonly<Record<string, Row>> = JSON.parse(await rowsOf(day, 0, linesMax));
    lines.push(...Object.values(rows).map((row) => lineOf(day, row)));
  }
  return { ...invoice, lines };
}

type Row = readonly [string, string, string, string, string, string | null, string, string];

function lineOf(day: string, row: Row): InvoiceLine {
  const [project, app, kind, model, tokenType, quantity, amount, tolerance] = row;
  return {
    ...{ day, project, app, kind, model, tokenType },
    quantity: quantity === null ? undefined : BigInt(quantity),
    ...{ amount: BigInt(amount), tolerance: BigInt(tolerance) },
  };
}

async function* piecesOf(file: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A page of Anthropic's cost report with one row, changed by `changes`. */
export function costReport(changes: object = {}, page: object = {}): string {
  const row = {
    ...{ currency: 'USD', amount: '1', workspace_id: 'wrkspc_1', description: 'Input' },
    ...{ cost_type: 'tokens', model: 'claude-haiku-4-5', token_type: 'output_tokens' },
    ...changes,
  };
  const bucket = {
    ...{ starting_at: '2026-06-14T00:00:00Z', ending_at: '2026-06-15T00:00:00Z' },
    results: [row],
  };
  return JSON.stringify({ data: [bucket], has_more: false, next_page: null, ...page });
}

/** A page of OpenAI's costs with one row, with this text as its amount. */
export function openaiCosts(value: string, row = '"project_id":"proj_1","line_item":"m, input"') {
  const amount = `{"value":${value},"currency":"usd"}`;
  const bucket = `{"start_time":1730419200,"end_time":1730505600,"results":[{"amount":${amount},${row}}]}`;
  return `{"object":"page","data":[${bucket}],"has_more":false,"next_page":null}`;
}
