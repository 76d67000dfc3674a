import Type from 'typebox';
import { asked, changed, confirming, reference } from '../change-shapes.ts';
import { type Document, day, usd } from '../shapes.ts';

/** `PUT /calls/:id/correction`; `confirm` is the call's id where `isLarge`. */
export const CorrectionAsked = confirming({ usd: asked, reference });
export type CorrectionAsked = Document<typeof CorrectionAsked>;

/** What a correction does. */
export const CallCorrected = changed(
  Type.Object({
    callId: Type.String(),
    app: Type.String(),
    day,
    usd,
    costUsd: Type.String({ description: 'What it was booked with before' }),
    heldUsd: usd,
    isLarge: Type.Boolean({ description: 'Over ten times what was held: it needs `confirm`' }),
    isDone: Type.Boolean({ description: 'The same reference has corrected it so before' }),
  }),
);
export type CallCorrected = Document<typeof CallCorrected>;
