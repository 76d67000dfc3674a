import type { Books } from './books/books.ts';

/** Equal requests share a label: here each admitted one is a call under the platform's id. */
export function byRequest(books: Books): Books {
  const requests = new Map(
    books.booked.map(({ callId, attempts }) => [callId, attempts[0]?.requestId ?? callId]),
  );
  return {
    ...books,
    billed: books.billed.map((call) => ({ ...call, label: call.requestId })),
    booked: books.booked.map((call) => ({ ...call, label: requests.get(call.callId) })),
    told: books.told.map((call) => {
      const label = call.kind === 'answered' ? requests.get(call.callId) : undefined;
      return { ...call, label: label ?? call.label };
    }),
  };
}
