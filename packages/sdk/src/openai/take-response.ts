import { type AttemptParts, giveUp } from '../call/attempt.ts';
import type { Deadline } from '../call/deadline.ts';
import type { Outcome } from '../call/failure.ts';

/**
 * Takes a successful response: whole, or as soon as a stream has begun, whose pieces are forwarded
 * immediately. Its last byte closes the deadline.
 */
export async function takeResponse(
  { deadline }: AttemptParts,
  response: Response,
  unlink: () => void,
): Promise<Outcome<Response>> {
  const { headers, body } = response;
  const end = () => {
    unlink();
    deadline.close();
  };
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  if (isStream && typeof body?.getReader === 'function') {
    const reader: Reader = body.getReader();
    // A stream that breaks before its first bytes can be retried.
    const first = await deadline.race(reader.read());
    return answered(response, passOn({ deadline, reader, first, end }));
  }
  const bytes = await deadline.race(response.arrayBuffer());
  end();
  return answered(response, bytes.byteLength === 0 ? null : bytes);
}

function answered(
  { status, statusText, headers }: Response,
  body: ArrayBuffer | ReadableStream<Uint8Array> | null,
): Outcome<Response> {
  const answer = new Response(body, { status, statusText, headers });
  return { kind: 'answered', answer, headers };
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Piece = Awaited<ReturnType<Reader['read']>>;

function passOn(parts: {
  readonly deadline: Deadline;
  readonly reader: Reader;
  readonly first: Piece;
  readonly end: () => void;
}): ReadableStream<Uint8Array> {
  const { deadline, reader, end } = parts;
  let first: Piece | undefined = parts.first;
  // Also where the rest is never read.
  const unlisten = deadline.onEnd(end);

  function finish(): void {
    unlisten();
    end();
  }

  async function next(): Promise<Piece> {
    const piece = first ?? (await deadline.race(reader.read()));
    first = undefined;
    return piece;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await next();
          if (!done) return controller.enqueue(value);
          finish();
          controller.close();
        } catch (error) {
          finish();
          giveUp(reader.cancel());
          controller.error(reasonOf(deadline, error));
        }
      },
      async cancel(reason) {
        finish();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function reasonOf(deadline: Deadline, error: unknown): unknown {
  const ending = deadline.ending();
  if (ending === undefined) return error;
  return ending.kind === 'aborted'
    ? ending.reason
    : new Error('the stream did not finish within timeoutMs');
}
