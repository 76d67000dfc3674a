import type { AttemptParts } from '../attempt.ts';
import { readBody } from '../body.ts';
import { attemptAndNote, type Round } from '../call.ts';
import { badResponseFailure, type Outcome } from '../failure.ts';
import { type LiveStream, readLiveStream } from './live-stream.ts';
import type { WireEvent } from './wire-event.ts';

/** A stream whose first event is there. */
export interface OpenedStream {
  readonly live: LiveStream;
  readonly first: WireEvent;
}

/**
 * One attempt at a stream. It is answered with the first event: whatever goes wrong before that
 * may be tried again as any call may.
 */
export function openStream(round: Round): Promise<Outcome<OpenedStream>> {
  return attemptAndNote(round, takeFirst);
}

async function takeFirst(
  { runtime, deadline }: AttemptParts,
  response: Response,
  unlink: () => void,
): Promise<Outcome<OpenedStream>> {
  const { status, headers } = response;
  if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) {
    const text = await readBody(response, deadline);
    const received = { status, headers, text, epochMs: runtime.epochMs() };
    return { kind: 'failed', failure: badResponseFailure(received, 'an event stream') };
  }
  const live = readLiveStream(response, { deadline, unlink });
  try {
    const first = await live.next();
    if (first === undefined) throw new Error('the stream ended before its first event');
    return { kind: 'answered', answer: { live, first }, headers };
  } catch (error) {
    live.cancel();
    throw error;
  }
}
