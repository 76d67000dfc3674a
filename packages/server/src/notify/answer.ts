import type { Sent } from './send.ts';

export function isSuccess(sent: Sent): boolean {
  return sent.kind === 'answered' && sent.status >= 200 && sent.status < 300;
}

export function reasonOf(sent: Sent): string {
  if (sent.kind === 'failed') return sent.reason;
  const isRedirect = sent.status >= 300 && sent.status < 400;
  return `answered ${sent.status}${isRedirect ? ': redirects are not followed' : ''}`;
}
