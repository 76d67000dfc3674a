import { headerNames } from '@model-gateway/contract';
import type { KeyRejection, KeyRejectionReason } from '../domain/key-rejection.ts';
import { isBrokenKey, isPossibleKey, isRunKey } from '../registry/key-format.ts';
import type { Registry } from '../registry/registry.ts';
import type { Dialect, RequestHead } from './dialects/dialect.ts';

type Headers = Pick<RequestHead, 'header' | 'isRepeated'>;
type Reading = Pick<Dialect, 'readsBearer'>;

/**
 * The key of a request: `x-api-key`, or a bearer where the dialect reads it. Of two that differ
 * neither counts, because a proxy in front might have checked the other one. The same is true of
 * two lines of `authorization`.
 */
export function credentialOf(request: Headers, { readsBearer }: Reading): string | undefined {
  const own = request.header(headerNames.apiKey);
  const authorization = readsBearer ? request.header('authorization') : undefined;
  if (authorization === undefined) return own;
  if (request.isRepeated('authorization')) return undefined;
  const bearer = bearerIn(authorization);
  return own === undefined || bearer === undefined || own === bearer ? (own ?? bearer) : undefined;
}

/** Why no caller has the key of this request. It is read again, as only few requests need it. */
export function keyRejectionOf(
  request: Headers,
  dialect: Reading,
  registry: Pick<Registry, 'closedKey'>,
): KeyRejection {
  const text = credentialOf(request, dialect);
  if (text === undefined || text === '') return { reason: withoutKey(request, dialect) };
  const closed = registry.closedKey(text);
  if (closed !== undefined) {
    const { reason, key } = closed;
    return { reason, keyId: key.id, app: key.customerId };
  }
  if (/^bearer\s/i.test(text)) return { reason: 'wrong-scheme' };
  return { reason: isBrokenKey(text) ? 'checksum' : 'unknown' };
}

function withoutKey({ header, isRepeated }: Headers, { readsBearer }: Reading): KeyRejectionReason {
  const authorization = header('authorization');
  if (authorization === undefined) {
    return keyHeadersOfOthers.some((name) => header(name)) ? 'wrong-scheme' : 'no-header';
  }
  const bearer = bearerIn(authorization);
  if (!readsBearer) {
    const isKey = bearer !== undefined && (isPossibleKey(bearer) || isRunKey(bearer));
    return isKey ? 'ingress-off' : 'wrong-scheme';
  }
  const isSecond = bearer !== undefined && header(headerNames.apiKey) !== undefined;
  return isSecond || isRepeated('authorization') ? 'two-keys' : 'wrong-scheme';
}

/** Where clients of other APIs send their keys; no route reads them. */
const keyHeadersOfOthers = ['api-key', 'x-goog-api-key'] as const;

function bearerIn(authorization: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1];
}
