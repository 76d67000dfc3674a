import type { Deadline } from './deadline.ts';

/** The whole body of an answer, as text; given up when the call ends. */
export async function readBody(response: Response, deadline: Deadline): Promise<string> {
  const { body } = response;
  if (body === null) return '';
  // The bodies of some replaced fetches are streams of Node, which have no reader.
  if (typeof body?.getReader !== 'function') return deadline.race(response.text());
  const reader = body.getReader();
  try {
    return await deadline.race(drain(reader));
  } catch (error) {
    giveUp(reader.cancel());
    throw error;
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  // Bounded by the deadline, which cancels the reader.
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

/** Frees the connection of an answer whose body nobody wants. */
export function discardBody(response: Response): void {
  if (typeof response.body?.cancel === 'function') giveUp(response.body.cancel());
}

/** Not waited for: the end of a stalled stream may never come. */
export function giveUp(cancelled: Promise<void>): void {
  cancelled.catch(() => {
    // The body was wanted no more; that it could not be cancelled changes nothing.
  });
}
