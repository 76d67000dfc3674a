import type { ApiErrorCode } from '@model-gateway/contract';
import { answered, lost, refused, retried } from './expected.ts';
import { type Fault, replying } from './faults.ts';
import type { Surface } from './surfaces.ts';

/** Faults that a platform reports by the status of its response. */
export const statusFaults: readonly Fault[] = [
  {
    name: '301 elsewhere',
    does: () => replying(301, '', { location: 'http://127.0.0.1:1/v1/elsewhere' }),
    comesTo: refused('SERVER'),
  },
  ...[400, 413, 422].map((status) => refusal(status, 'BAD_REQUEST')),
  ...[401, 403].map((status) => refusal(status, 'AUTH')),
  refusal(404, 'NOT_FOUND'),
  ...[409, 500, 503, 529].map((status) => ({ ...stated(status), comesTo: retried('SERVER') })),
  ...[408, 424, 502, 504].map((status) => ({ ...stated(status), comesTo: lost })),
  { ...stated(429), comesTo: retried('THROTTLED') },
  {
    name: '429 of an account without money',
    does: (surface) => replying(429, surface.error(429, 'insufficient_quota')),
    comesTo: refused('THROTTLED'),
  },
  throttle('1', { retryAfter: '1' }),
  throttle('Sat, 21 Nov 2026 11:00:00 GMT', { retryAfter: '0' }),
  throttle('-5'),
  throttle('NaN'),
  {
    ...throttle('3600'),
    comesTo: refused('THROTTLED', { retryAfter: '3600' }),
  },
  {
    name: '429, retry-after a date by its own clock',
    does: replyingTo(429, {
      date: 'Sat, 21 Nov 2020 12:00:00 GMT',
      'retry-after': 'Sat, 21 Nov 2020 12:00:03 GMT',
    }),
    comesTo: retried('THROTTLED', { retryAfter: '3' }),
  },
  {
    name: 'flapping',
    does: flapping(503, 429),
    comesTo: {
      always: { ...answered, attempts: ['SERVER', 'THROTTLED', 'answered'] },
      once: { ...answered, attempts: ['SERVER', 'answered'] },
    },
  },
  {
    name: 'flapping, and perhaps billed once',
    does: flapping(503, 504, 429),
    comesTo: {
      always: {
        ...{ code: 'THROTTLED', attempts: ['SERVER', 'SERVER', 'THROTTLED'] },
        ...{ basis: 'estimated', estimates: 1, exact: 0n, wallet: 'nothing' },
      },
      once: { ...answered, attempts: ['SERVER', 'answered'] },
    },
  },
];

function stated(status: number): Pick<Fault, 'name' | 'does'> {
  return { name: String(status), does: replyingTo(status) };
}

function refusal(status: number, code: ApiErrorCode): Fault {
  return { ...stated(status), comesTo: refused(code) };
}

function throttle(retryAfter: string, more: { readonly retryAfter?: string } = {}): Fault {
  return {
    name: `429, retry-after ${retryAfter}`,
    does: replyingTo(429, { 'retry-after': retryAfter }),
    comesTo: retried('THROTTLED', more),
  };
}

function replyingTo(status: number, headers: Readonly<Record<string, string>> = {}): Fault['does'] {
  return (surface) => replying(status, bodyOf(surface, status), headers);
}

function flapping(...statuses: readonly number[]): Fault['does'] {
  return (surface) => (met) => {
    const status = statuses[met.before];
    if (status === undefined) return replying(200, met.answer)(met);
    return replying(status, bodyOf(surface, status))(met);
  };
}

function bodyOf(surface: Surface, status: number): string {
  return surface.error(status, 'some_code');
}
