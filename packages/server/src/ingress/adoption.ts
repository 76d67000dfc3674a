import { type Adoption, createAdoption } from '../calls/model/adoption.ts';
import { credentialOf } from './credential.ts';
import type { Caller } from './exchange/caller.ts';
import type { Dialect } from './exchange/dialect.ts';
import type { IncomingRequest } from './exchange/request.ts';

/** Stainless clients count retries in this header, and resend identical bytes. */
const retryCount = 'x-stainless-retry-count';

/** With other values of these headers, an equal body is a different call. */
const distinguishingHeaders = [
  'x-user-id',
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'accept',
];

export function adoptionOf(
  {
    request,
    dialect,
    caller: { run },
  }: {
    readonly request: IncomingRequest;
    readonly dialect: Dialect;
    readonly caller: Pick<Caller, 'run'>;
  },
  body: Uint8Array | undefined,
): Adoption | undefined {
  const { header, method, path, query } = request;
  const apiKey = credentialOf(request, dialect);
  if (apiKey === undefined || body === undefined) return undefined;
  const inRun = run === undefined ? [] : [run.id];
  const head = [dialect.name, method, path, query, ...distinguishingHeaders.map(header), ...inRun];
  const isRetry = /^[1-9]\d*$/.test(header(retryCount) ?? '');
  return createAdoption({ apiKey, head, body, isRetry });
}
