import {
  type AnswerHead,
  refusalOfShape,
  type SendOutcome,
} from '../../../src/platforms/http/transport.ts';
import type { Delta } from '../../../src/platforms/model/content.ts';
import type { AttemptOutcome, AttemptStream } from '../../../src/platforms/model/port.ts';
import type { SurfaceParts } from '../../../src/platforms/wires/surface.ts';
import type { SurfaceSubject } from './surface-subject.ts';
import { smallRequest, testContext } from './try-platform.ts';

/** The record of a follower of an attempt. */
export interface Followed {
  readonly deltas: Delta[];
  /** Heartbeats. */
  events: number;
  readonly stream: AttemptStream;
}

/** A follower that records everything. */
export function createFollower(onDelta: (delta: Delta) => void = () => undefined): Followed {
  const deltas: Delta[] = [];
  const followed: Followed = {
    deltas,
    events: 0,
    stream: {
      onDelta(delta) {
        deltas.push(delta);
        onDelta(delta);
      },
      onEvent() {
        followed.events += 1;
      },
      onFlow: () => undefined,
    },
  };
  return followed;
}

/** How the bytes of a response arrive, and how they end: properly by default. */
export interface Coming {
  readonly pieces: readonly Buffer[];
  readonly lostWith?: string;
  readonly head?: AnswerHead;
}

const streamHead = { status: 200, headers: { 'content-type': 'text/event-stream' } };

/** A surface whose platform responds with these bytes, without a socket. */
export function partsOf(coming: Coming): SurfaceParts {
  return {
    context: testContext,
    path: '/test',
    headers: {},
    projectHeader: undefined,
    redact: (text) => text,
    async send({ openReader }): Promise<SendOutcome> {
      const head = coming.head ?? streamHead;
      const reader = openReader?.(head, { pause: () => undefined, resume: () => undefined });
      const sent = { wasSent: true, answer: head } as const;
      const collect = (pieces: readonly Buffer[]): SendOutcome => {
        const body = Buffer.concat(pieces);
        const refusal = refusalOfShape(body);
        if (refusal === undefined) return { ...head, body };
        return { kind: 'unusable', causeCode: refusal.code, message: refusal.message, ...sent };
      };
      if (reader === undefined) return collect(coming.pieces);
      for (const [index, piece] of coming.pieces.entries()) {
        const result = reader.read(piece);
        if (result === 'collect') return collect(coming.pieces.slice(index));
        if (result === 'end') return { ...head, body: Buffer.alloc(0) };
        if (result === undefined) continue;
        return { kind: 'unusable', causeCode: result.code, message: result.message, ...sent };
      }
      if (coming.lostWith === undefined) return { ...head, body: Buffer.alloc(0) };
      return { kind: 'lost', causeCode: coming.lostWith, message: 'gone', ...sent };
    },
  };
}

/** One streamed attempt of a surface. */
export async function followAttempt(
  subject: SurfaceSubject,
  coming: Coming,
  request = smallRequest,
): Promise<{ readonly outcome: AttemptOutcome } & Followed> {
  const followed = createFollower();
  const model = subject.modelsOf(partsOf(coming))('test-model');
  const signal = new AbortController().signal;
  const outcome = await model.attempt(request, { signal, stream: followed.stream });
  return { ...followed, outcome };
}

/** The same response, requested as complete. */
export function attemptWhole(
  subject: SurfaceSubject,
  answer: unknown,
  request = smallRequest,
): Promise<AttemptOutcome> {
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify(answer));
  const models = subject.modelsOf(partsOf({ pieces: [body], head: { status: 200, headers } }));
  return models('test-model').attempt(request, { signal: new AbortController().signal });
}
