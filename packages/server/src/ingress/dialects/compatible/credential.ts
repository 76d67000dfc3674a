import { headerNames } from '@model-gateway/contract';
import type { RequestHead } from '../dialect.ts';

/**
 * The key as clients of either maker show it. Of two that differ none counts: a front may have
 * looked at the other one, and so of two lines of `authorization`, be they the same.
 */
export function credentialOf({
  header,
  isRepeated,
}: Pick<RequestHead, 'header' | 'isRepeated'>): string | undefined {
  const own = header(headerNames.apiKey);
  const authorization = header('authorization');
  if (authorization !== undefined && isRepeated('authorization')) return undefined;
  const bearer = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return own === undefined || bearer === undefined || own === bearer ? (own ?? bearer) : undefined;
}
