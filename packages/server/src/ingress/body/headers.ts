import { CallError } from '../../calls/call-error.ts';
import type { RequestHead } from '../dialects/dialect.ts';

/** Throws INVALID for a body whose type is told twice, or which is not the JSON itself. */
export function checkBodyHeaders(request: RequestHead): void {
  checkOnce(request, 'content-type');
  const coding = request.header('content-encoding')?.trim() ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  const shown = JSON.stringify(coding.slice(0, 80));
  throw new CallError(
    'INVALID',
    `content-encoding is ${shown}, and no body is decoded here; send the JSON as it is, without this header.`,
  );
}

/** Of two lines a front may read the one and the service the other. */
export function checkOnce(request: RequestHead, name: string): void {
  if (!request.isRepeated(name)) return;
  throw new CallError('INVALID', `The header ${name} came more than once; send it once.`);
}
