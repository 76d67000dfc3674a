import Type from 'typebox';
import { bases } from '../../books/rows.ts';
import { after, type Document, instant, nullable, usd } from './shapes.ts';

/** Why a call costs what it is booked with. */
export const basis = Type.Enum([...bases]);

export const FoundCall = Type.Object({
  id: Type.String(),
  startedAt: instant,
  app: Type.String(),
  keyId: nullable(Type.String()),
  userId: Type.Union([Type.String(), Type.Null()], { description: 'Masked for viewers' }),
  model: Type.String(),
  platform: nullable(Type.String()),
  code: Type.String(),
  costUsd: usd,
  estimatedUsd: usd,
  basis,
});
export type FoundCall = Document<typeof FoundCall>;

/** `GET /calls`, newest first. */
export const CallsPage = Type.Object({
  items: Type.Array(FoundCall),
  after,
  searchedBackTo: Type.Union([instant, Type.Null()], {
    description: 'Where the time was over before the page was full: `after` goes on from there',
  }),
});
export type CallsPage = Document<typeof CallsPage>;

/** `GET /dearest-calls`, dearest first. */
export const DearestCalls = Type.Object({
  items: Type.Array(FoundCall),
  unsearched: Type.Union(
    [
      Type.Object({
        since: Type.Union([instant, Type.Null()], { description: 'Null for the beginning of all' }),
        until: instant,
        atMostUsd: Type.Union([usd, Type.Null()], {
          description: 'None of them costs more; null where that is not known',
        }),
      }),
      Type.Null(),
    ],
    {
      description:
        'Calls of a time that was not looked through when two seconds were over; null where every call was looked at, or is known to cost less',
    },
  ),
});
export type DearestCalls = Document<typeof DearestCalls>;

export const CallsFound = Type.Union([CallsPage, DearestCalls]);
