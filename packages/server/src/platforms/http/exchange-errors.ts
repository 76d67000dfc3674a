import type { TransportFailureKind } from './transport.ts';

/**
 * The library refuses `100 Continue`, which was not asked for, and a change of protocol. An answer
 * was on its way: asked again, the platform would bill it again, and say the same.
 */
export function isMisplaced({ message }: Error): boolean {
  return message === 'bad response' || message === 'bad upgrade';
}

/** What an exchange's error means, by its code. */
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
