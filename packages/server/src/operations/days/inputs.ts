import Type from 'typebox';
import { asked, changed, confirming, reference } from '../change-shapes.ts';
import { type Document, day, nullable, usd } from '../shapes.ts';

/** `POST /days/close`; `confirm` is the app's name, or `all`. */
export const DaysClosing = confirming({
  app: Type.String({ description: 'An app, or `all` for every app with a daily budget' }),
  day: Type.Optional(day),
  usd: Type.Optional(asked),
  reference,
});
export type DaysClosing = Document<typeof DaysClosing>;

/** What is booked for lost calls; `callId` is null before it is. */
export const DaysClosed = changed(
  Type.Array(
    Type.Object({
      app: Type.String(),
      day,
      callId: nullable(Type.String()),
      bookedUsd: usd,
    }),
  ),
);
export type DaysClosed = Document<typeof DaysClosed>;

/** `POST /days/reopen`; `confirm` is needed for `all` alone. */
export const DayReopening = confirming({
  app: Type.String({
    description: 'An app, or `all` for every app and every other budget that a restore has closed',
  }),
  day: Type.Optional(day),
});
export type DayReopening = Document<typeof DayReopening>;

/** What is free again. */
export const DayReopened = changed(
  Type.Array(Type.Object({ app: Type.String(), day, callId: Type.String(), freedUsd: usd })),
);
export type DayReopened = Document<typeof DayReopened>;
