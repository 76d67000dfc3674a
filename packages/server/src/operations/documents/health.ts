import Type from 'typebox';
import { keyRejectionReasons } from '../../domain/key-rejection.ts';
import { count, type Document, instant, nullable } from './shapes.ts';
import { Problem } from './today.ts';

/** `GET /health`: the responding process, and the state that all processes share. */
export const Health = Type.Object({
  at: instant,
  version: Type.String(),
  instanceId: Type.String({ description: 'Process that sent this response' }),
  problems: Type.Array(Problem),
  store: Type.Object({
    kind: Type.Enum(['sqlite', 'postgres']),
    answerMs: Type.Number({ description: 'Duration of one small read' }),
    clockSkewMs: Type.Number(),
    openHolds: count,
    rollupsUntil: Type.Union([instant, Type.Null()], {
      was: 'sumsUntil',
      description: 'Report rollups include calls before this time; null if no rollups exist yet',
    }),
  }),
  replicas: Type.Array(
    Type.Object({
      id: Type.String(),
      config: Type.String({ description: 'Short hash of its configuration' }),
      seenAt: instant,
      isThis: Type.Boolean(),
    }),
    { description: 'Recently active replicas' },
  ),
  platforms: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.String(),
      problem: nullable(Type.String()),
      retries: count,
      retriesDenied: count,
      circuitsOpened: count,
      attemptsRefused: count,
    }),
  ),
  circuits: Type.Array(
    Type.Object({
      platform: Type.String(),
      model: Type.String(),
      state: Type.Enum(['closed', 'probing', 'open']),
      since: nullable(instant),
    }),
    { description: 'Of this process; each replica has its own' },
  ),
  keyless: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time', description: 'Start of the UTC hour' }),
      reason: Type.Enum([...keyRejectionReasons]),
      path: Type.Union([Type.String(), Type.Null()], {
        description: 'Method, path and network of the last rejected request',
      }),
      count,
      lastAt: instant,
    }),
    {
      description:
        'Requests without a valid key in the last 24 hours, by hour and reason, newest first; empty for a login that is limited to apps',
    },
  ),
  load: Type.Object({
    requests: count,
    bodyBytes: count,
    bodyBytesMax: count,
    runningCalls: count,
    detachedCalls: Type.Integer({ minimum: 0, was: 'drains' }),
    streams: count,
    queue: Type.Integer({ minimum: 0, description: 'Waiting ledger operations' }),
  }),
});
export type Health = Document<typeof Health>;
