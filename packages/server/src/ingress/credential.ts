import { headerNames } from '@model-gateway/contract';
import type { KeyRejection, KeyRejectionReason } from '../domain/key-rejection.ts';
import { isBrokenKey, isPossibleKey, isRunKey } from '../registry/key-format.ts';
import type { Registry } from '../registry/registry.ts';
import type { Dialect, RequestHead } from './exchange/dialect.ts';

type Headers = Pick<RequestHead, 'header' | 'isRepeated'>;
type KeyRules = Pick<Dialect, 'readsBearer' | 'readsAzureKey'>;

const azureKey = 'api-key';

/**
 * `x-api-key`, plus bearer or `api-key` where the API format reads them. Different keys, or
 * repeated lines of the latter two, count as no key: a proxy might have checked another one.
 */
export function credentialOf(request: Headers, keyRules: KeyRules): string | undefined {
  const own = request.header(headerNames.apiKey);
  const authorization = keyRules.readsBearer ? request.header('authorization') : undefined;
  const azure = keyRules.readsAzureKey === true ? request.header(azureKey) : undefined;
  if (authorization === undefined && azure === undefined) return own;
  if (authorization !== undefined && request.isRepeated('authorization')) return undefined;
  if (azure !== undefined && request.isRepeated(azureKey)) return undefined;
  const bearer = authorization === undefined ? undefined : bearerIn(authorization);
  const [first, ...others] = [own, bearer, azure].filter((key) => key !== undefined);
  return others.every((key) => key === first) ? first : undefined;
}

export function keyRejectionOf(
  request: Headers,
  dialect: KeyRules,
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

function withoutKey(request: Headers, keyRules: KeyRules): KeyRejectionReason {
  const { header, isRepeated } = request;
  const { readsBearer, readsAzureKey } = keyRules;
  const authorization = header('authorization');
  // The header was read but rejected: it differs from another key, or is repeated.
  if (readsAzureKey === true && header(azureKey)) return 'two-keys';
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

const keyHeadersOfOthers = [azureKey, 'x-goog-api-key'] as const;

function bearerIn(authorization: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1];
}
