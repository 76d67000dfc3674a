import type { TransportFailureKind } from './transport.ts';

/**
 * The library refuses an unrequested `100 Continue` or protocol change. An answer was on its way: a
 * retry would be billed again and end the same.
 */
export function isMisplaced({ message }: Error): boolean {
  return message === 'bad response' || message === 'bad upgrade';
}

export function kindOf(code: string): TransportFailureKind {
  switch (code) {
    case 'EMFILE':
    case 'ENFILE':
      return 'no-descriptors';
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'unusable';
    default:
      return 'lost';
  }
}
