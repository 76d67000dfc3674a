import type { Redactor } from '../lib/redact.ts';
import { readHead } from './answer-head.ts';
import type { CallMeta } from './call-meta.ts';

/** The meta of a response with these headers; the key is removed from all of them. */
export function writeMeta(
  headers: Headers,
  call: Pick<CallMeta, 'attempts' | 'durationMs' | 'costUsd'>,
  redactor: Redactor,
): CallMeta {
  const { gatewayRequestId: id, replayed } = readHead(headers);
  const { attempts, durationMs, costUsd } = call;
  return {
    gatewayRequestId: id && redactor.text(id),
    attempts,
    replayed,
    durationMs,
    costUsd,
    headers: listHeaders(headers, redactor),
  };
}

function listHeaders(
  headers: Partial<Headers>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  const list: Record<string, string> = {};
  // A replaced fetch might return headers that can only be read by name.
  headers.forEach?.((text, name) => {
    list[name.toLowerCase()] = redactor.text(text);
  });
  return list;
}
