import type { TransportFailureKind } from './transport.ts';

/**
 * The library rejects an unrequested `100 Continue` or protocol change. A response was on its way:
 * a retry would be billed again and fail the same way.
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
