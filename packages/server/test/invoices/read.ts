import { readFileSync } from 'node:fs';
import { type ReadInvoice, readInvoice } from '../../src/invoices/read-invoice.ts';

/** A file of `fixtures`. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
}

/** Reads these files, cut into pieces of so many bytes. */
export function readFiles(
  files: readonly (string | Uint8Array)[],
  pieceSize = 65_536,
): Promise<ReadInvoice> {
  return readInvoice(
    files.map((file, index) => ({ name: `file ${index + 1}`, chunks: piecesOf(file, pieceSize) })),
  );
}

async function* piecesOf(file: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A page of Anthropic's cost report with one row, which `changes` says otherwise. */
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

/** A page of OpenAI's costs with one row, whose amount is written so. */
export function openaiCosts(value: string, row = '"project_id":"proj_1","line_item":"m, input"') {
  const amount = `{"value":${value},"currency":"usd"}`;
  const bucket = `{"start_time":1730419200,"end_time":1730505600,"results":[{"amount":${amount},${row}}]}`;
  return `{"object":"page","data":[${bucket}],"has_more":false,"next_page":null}`;
}
