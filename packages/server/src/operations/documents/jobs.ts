import Type from 'typebox';
import { type Document, instant, nullable } from './shapes.ts';

export const Job = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['report', 'audit', 'callsCsv']),
  state: Type.Enum(['waiting', 'running', 'done', 'failed', 'ended']),
  position: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    ...{ was: 'place', description: 'Position in the queue while waiting' },
  }),
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
  text: Type.String({ description: 'Current step as text' }),
  result: Type.Optional(
    Type.Unknown({
      description: 'For a report, the document of `/spend`; for an audit, its rules',
    }),
  ),
  fileName: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the file at `/reports/:id/file`; null without a file',
  }),
  error: nullable(Type.String()),
  startedAt: nullable(instant),
  endedAt: nullable(instant),
});
export type Job = Document<typeof Job>;

export interface JobRequest {
  readonly kind: Job['kind'];
  readonly from?: string;
  readonly to?: string;
  readonly by?: readonly string[];
  readonly apps?: readonly string[];
  readonly top?: number;
  /** The filters of the calls, from here to `failed`. */
  readonly app?: string;
  readonly user?: string;
  readonly key?: string;
  readonly model?: string;
  readonly platform?: string;
  readonly code?: string;
  readonly failed?: boolean;
}

export const JobEnded = Type.Object({ ended: Type.Literal(true) });

/** The data of event `changed` of `GET /events`. */
export const Changed = Type.Object({
  topic: Type.String({ description: 'overview, app:NAME, audit, health or reconcile' }),
});
export type Changed = Document<typeof Changed>;
