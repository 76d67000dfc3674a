import Type from 'typebox';
import { type Document, day, instant, nullable } from '../shapes.ts';
import { Dimension } from './spend-documents.ts';

/** What is asked for by `POST /reports`. */
export const JobAsked = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('report'),
      from: day,
      to: day,
      by: Type.Array(Dimension, { minItems: 1, maxItems: 4 }),
      apps: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 100 })),
      model: Type.Optional(Type.String()),
      top: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      format: Type.Optional(Type.Enum(['json', 'csv', 'focus'])),
    },
    { additionalProperties: false },
  ),
  Type.Object({ kind: Type.Literal('audit') }, { additionalProperties: false }),
  Type.Object(
    {
      kind: Type.Literal('callsCsv'),
      from: day,
      to: day,
      app: Type.Optional(Type.String()),
      user: Type.Optional(Type.String()),
      key: Type.Optional(Type.String()),
      model: Type.Optional(Type.String()),
      code: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
]);
export type JobAsked = Document<typeof JobAsked>;

/** `GET /reports/:id`: something long that is being done, or was. */
export const Job = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['report', 'audit', 'callsCsv']),
  state: Type.Enum(['waiting', 'running', 'done', 'failed', 'ended']),
  place: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Its place in the queue while it waits',
  }),
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
  text: Type.String({ description: 'What it does now, in words' }),
  result: Type.Optional(
    Type.Unknown({ description: 'Of a report the document of `/spend`, of an audit its rules' }),
  ),
  fileName: Type.Union([Type.String(), Type.Null()], {
    description: 'What the file is called that `/reports/:id/file` has; null without one',
  }),
  error: nullable(Type.String()),
  startedAt: nullable(instant),
  endedAt: nullable(instant),
});
export type Job = Document<typeof Job>;

/** The data of an event `changed` of `GET /events`. */
export const Changed = Type.Object({
  topic: Type.String({ description: 'overview, app:NAME, audit, health or reconcile' }),
});
export type Changed = Document<typeof Changed>;
