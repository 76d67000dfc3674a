import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { buildConnector, Client, type Dispatcher } from 'undici';
import type { WebhookConfig } from '../domain/notify.ts';
import type { Clock } from '../lib/clock.ts';
import { startTimeout, within } from '../lib/deadline.ts';
import { createRoutes } from '../lib/proxy-route.ts';
import { parseRetryAfterMs } from '../lib/retry.ts';
import { connectRouted } from '../lib/tunnel.ts';
import { AddressRefused, isPublicAddress, lookupFor, type Resolve } from './resolve.ts';

export interface Message {
  /** The same on each attempt: receivers recognize retries by it. */
  readonly id: string;
  readonly body: string;
  /** Reads at most {@link wordsMax} bytes of the response's text. */
  readonly readsText?: boolean;
  readonly signal?: AbortSignal;
}

/** The reason contains no name, path or secret. */
export type Sent =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterMs: number | undefined;
      readonly words: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** Never rejects. */
export type Send = (webhook: WebhookConfig, message: Message) => Promise<Sent>;

export interface SendParts {
  /** `now` provides the time in signatures. */
  readonly clock: Clock;
  readonly resolve: Resolve;
  readonly version: string;
  readonly ca?: ConnectionOptions['ca'];
}

/** The time limit from the name's look-up to the end of the headers. */
export const sendMs = 15_000;
const headerBytesMax = 16_384;
const wordsMax = 1_024;

/** Opens a connection for each message, and reads only the response's status unless `readsText`. */
export function createSend(parts: SendParts): Send {
  const { clock } = parts;
  return async (webhook, message) => {
    const { origin, pathname, search } = new URL(webhook.url);
    const timeout = startTimeout(clock, sendMs);
    const signals = [timeout.signal, ...(message.signal === undefined ? [] : [message.signal])];
    const client = new Client(origin, {
      connect: connectorFor(webhook, parts),
      maxHeaderSize: headerBytesMax,
      ...{ headersTimeout: 0, bodyTimeout: 0 },
    });
    try {
      const answer = await client.request({
        method: 'POST',
        path: `${pathname}${search}`,
        headers: headersOf(webhook, message, parts),
        body: message.body,
        signal: AbortSignal.any(signals),
      });
      return await readAnswer(answer, message, clock);
    } catch (error) {
      return { kind: 'failed', reason: failureOf(error, timeout.signal) };
    } finally {
      timeout.cancel();
      // The rest of the response is not read.
      await client.destroy().catch(() => undefined);
    }
  };
}

function headersOf(
  { secrets }: WebhookConfig,
  { id, body }: Message,
  { clock, version }: SendParts,
) {
  const timestampS = Math.floor(clock.now() / 1_000);
  const signature = signatureOf({ id, timestampS, body }, secrets);
  return {
    'content-type': 'application/json',
    'user-agent': `model-gateway/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    ...(signature !== '' && { 'webhook-signature': signature }),
  };
}

/** Allows only public addresses, unless the webhook allows private ones. */
function connectorFor(webhook: WebhookConfig, parts: SendParts): buildConnector.connector {
  const { allowPrivate } = webhook;
  const { resolve, ca, clock } = parts;
  const routeOf = createRoutes(webhook);
  const trusted = { ...(ca !== undefined && { ca }) };
  const lookup = lookupFor(resolve, allowPrivate);
  const direct = buildConnector({ ...trusted, timeout: sendMs, lookup });
  const secure = buildConnector({ ...trusted, timeout: 0, allowH2: false });
  const connect = connectRouted({ routeOf, direct, secure, timeoutMs: sendMs, clock });
  const isProxied = routeOf(new URL(webhook.url)) !== undefined;
  return (options, callback) => {
    const refuse = () => callback(new AddressRefused('address'), null);
    // An address literal has no look-up, so it is checked here.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const isAllowed = allowPrivate || isPublicAddress(host);
    if (isIP(host) !== 0 && !isAllowed) refuse();
    else if (isAllowed || isIP(host) !== 0 || !isProxied) connect(options, callback);
    else {
      void isPrivateName(host, parts).then((isPrivate) =>
        isPrivate ? refuse() : connect(options, callback),
      );
    }
  };
}

/** For a name that a proxy also resolves. */
const lookupMs = 2_000;

/**
 * Machines behind a proxy may not resolve public names, so the proxy decides about unknown names.
 */
async function isPrivateName(host: string, { resolve, clock }: SendParts): Promise<boolean> {
  let resolved: readonly LookupAddress[] = [];
  const lookup = resolve(host).then(
    (addresses) => {
      resolved = addresses;
    },
    () => undefined,
  );
  await within(clock, lookupMs, lookup);
  return resolved.length > 0 && !resolved.some(({ address }) => isPublicAddress(address));
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { readsText }: Message,
  clock: Clock,
): Promise<Sent> {
  const retryAfter = headers['retry-after'];
  body.on('error', () => undefined);
  return {
    kind: 'answered',
    status: statusCode,
    retryAfterMs: parseRetryAfterMs(
      typeof retryAfter === 'string' ? retryAfter : undefined,
      clock.now(),
    ),
    words: readsText === true ? await readWords(body) : '',
  };
}

async function readWords(body: AsyncIterable<Buffer>): Promise<string> {
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of body) {
      bytes = Buffer.concat([bytes, chunk.subarray(0, wordsMax - bytes.length)]);
      if (bytes.length >= wordsMax) break;
    }
  } catch {
    // The text received so far is returned.
  }
  return bytes
    .toString('latin1')
    .replaceAll(/[^\x21-\x7e]+/g, ' ')
    .trim();
}

/** The library's messages may quote the body or the URL. */
function failureOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return `no response within ${sendMs / 1_000} s`;
  if (error instanceof AddressRefused)
    return 'its address is not public and allowPrivate is not set';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = wordsOf.get(code) ?? (/CERT|SIGNATURE|SELF_SIGNED/.test(code) ? untrusted : failed);
  return /^[A-Z_0-9]+$/.test(code) ? `not sent: ${words} (${code})` : `not sent: ${failed}`;
}

const failed = 'the connection failed';
const untrusted = 'its certificate is not trusted';
const wordsOf: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens at its address'],
  ['ECONNRESET', 'it closed the connection'],
  ['UND_ERR_SOCKET', 'it closed the connection'],
  ['ENOTFOUND', 'its name has no address'],
  ['EAI_AGAIN', 'its name could not be resolved'],
  ['ETIMEDOUT', 'its address does not respond'],
  ['UND_ERR_CONNECT_TIMEOUT', 'its address does not respond'],
]);

const secretPrefix = 'whsec_';

/**
 * Returns one signature for each secret, so receivers may use either during a rotation. Source:
 * Standard Webhooks 1.0.0, "Signature scheme".
 */
function signatureOf(
  message: { readonly id: string; readonly timestampS: number; readonly body: string },
  secrets: readonly string[],
): string {
  const signed = `${message.id}.${message.timestampS}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return signatures.join(' ');
}

export function isSuccess(sent: Sent): boolean {
  return sent.kind === 'answered' && sent.status >= 200 && sent.status < 300;
}

export function reasonOf(sent: Sent): string {
  if (sent.kind === 'failed') return sent.reason;
  const isRedirect = sent.status >= 300 && sent.status < 400;
  return `answered ${sent.status}${isRedirect ? ': redirects are not followed' : ''}`;
}
