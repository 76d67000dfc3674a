import { headerNames } from '@model-gateway/contract';
import type { Header } from '../dialect.ts';

/**
 * The key as clients of either maker show it. Of two that differ none counts: a front may have
 * looked at the other one.
 */
export function credentialOf(header: Header): string | undefined {
  const own = header(headerNames.apiKey);
  const bearer = /^bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1];
  return own === undefined || bearer === undefined || own === bearer ? (own ?? bearer) : undefined;
}
