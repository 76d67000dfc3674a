import { isRecord, parseJson } from '../../lib/json-value.ts';
import {
  isFailure,
  type Send,
  type SendResponse,
  type TransportFailure,
} from '../http/transport.ts';
import type { Redact } from '../redaction/redact.ts';
import { causeOf, causeOfCode, type UnusableCause } from './unusable.ts';

export type ListedModels =
  /** Ids visible to this credential; only the first page of a very long list. */
  | { readonly kind: 'listed'; readonly models: readonly string[] }
  | { readonly kind: 'refused'; readonly status: number; readonly cause?: UnusableCause }
  /** `why` is without secrets. */
  | { readonly kind: 'silent'; readonly why: string; readonly isProxy?: true };

/** Never throws; only the signal limits its time. */
export type ListModels = (signal: AbortSignal) => Promise<ListedModels>;

/** Accepts `{data: [{id}]}` or the bare list. */
export function createListModels(parts: {
  readonly send: Send;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly redact: Redact;
}): ListModels {
  const { send, path } = parts;
  const headers = { accept: 'application/json', 'user-agent': 'model-gateway', ...parts.headers };
  return async (signal) => {
    const answer = await send({ method: 'GET', path, headers, body: '', signal });
    if (!isFailure(answer)) return read(answer);
    const cause = causeOfCode(answer.causeCode, answer.answer);
    if (cause !== undefined)
      return { kind: 'refused', status: answer.answer?.status ?? 200, cause };
    if (signal.aborted) return { kind: 'silent', why: 'no response in time' };
    const isProxy = answer.causeCode.startsWith('PROXY_');
    const why = parts.redact(isProxy ? answer.message : sentenceOf(answer));
    return { kind: 'silent', why, ...(isProxy && { isProxy }) };
  };
}

function read({ status, headers, body }: SendResponse): ListedModels {
  const value = parseJson(body.toString('utf8'))?.value;
  const list = isRecord(value) ? value.data : value;
  if (status !== 200 || !Array.isArray(list)) {
    const cause = value === undefined ? causeOf('', { status, headers }, body) : undefined;
    return { kind: 'refused', status, ...(cause === undefined ? {} : { cause }) };
  }
  const ids = list.filter(isRecord).map(({ id }) => id);
  return { kind: 'listed', models: ids.filter((id) => typeof id === 'string') };
}

function sentenceOf({ kind, message, causeCode }: TransportFailure): string {
  // For an unsent request without a credential, the message names the searched sources.
  return kind === 'no-credentials' ? message : causeCode;
}
