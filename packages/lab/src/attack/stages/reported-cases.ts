import { surfacePicoUsd, surfaceTokens } from '../arena/accounts.ts';
import type { PlatformInstructions } from '../arena/planned-call.ts';
import {
  countedShapes,
  lateShapes,
  namesWithoutCache,
  namesWithoutWrites,
  otherNames,
  otherTerms,
  rejectingModel,
  rejectionShapes,
  reportedCosts,
  reportingModel,
} from '../arena/reported-shapes.ts';
import { type Surface, surfaceRoutes } from '../arena/surfaces.ts';
import type { ExpectedBooking } from '../books/books.ts';

export interface ReportedCase extends Omit<ExpectedBooking, 'label'> {
  readonly surface: Surface;
  readonly instructions: PlatformInstructions;
}

type Rejects = NonNullable<PlatformInstructions['rejects']>;

const text = 'one two three';
const full = { inputTokens: surfaceTokens.input, outputTokens: surfaceTokens.output };
const half = { inputTokens: full.inputTokens / 2, outputTokens: full.outputTokens / 2 };
const halfPicoUsd = surfacePicoUsd / 2n;
const zeros = [
  { inputTokens: 0, outputTokens: 0 },
  { ...full, inputTokens: 0 },
  { ...full, outputTokens: 0 },
];

export const rejectedCases: readonly ReportedCase[] = surfaceRoutes.flatMap((surface) => {
  const { wire, ending } = surface;
  const late = ending === undefined ? [] : lateShapes[wire];
  const counted = ending === undefined ? undefined : countedShapes[wire];
  const rejections: readonly Rejects[] = [
    ...rejectionShapes[wire].map((as) => ({ as, at: 'first' as const })),
    ...late.flatMap((as) => (['started', 'whole'] as const).map((at) => ({ as, at }))),
    ...(counted === undefined ? [] : [{ as: counted, at: 'counted' as const }]),
  ];
  return rejections.map((rejects) => ({
    surface: withModel(surface, rejectingModel(wire, rejects.as)),
    ...{ instructions: { rejects }, booking: 'bill' as const },
  }));
});

export const answeredCases: readonly ReportedCase[] = surfaceRoutes.flatMap((route) => {
  const { wire } = route;
  const surface = withModel(route, reportingModel(wire));
  return [
    ...otherNames[wire].map((reports): ReportedCase => {
      // These counts are within the last event that has a choice.
      const stream = { counts: 'last' } as const;
      return {
        surface,
        booking: 'exact',
        instructions: { text, reports, stream, bills: billsOf(reports) },
      };
    }),
    ...otherTerms[wire].map((reports): ReportedCase => {
      const instructions = { text, reports, states: half };
      return { surface, booking: 'estimate', instructions, unreportedPicoUsd: halfPicoUsd };
    }),
    ...reportedCosts[wire].map((reports): ReportedCase => {
      return { surface, booking: 'estimate', instructions: { text, reports, states: half } };
    }),
    // Zeros of embeddings are valid counts.
    ...(wire === 'embeddings' ? [] : zeros).map((states): ReportedCase => {
      return { surface, booking: 'estimate', instructions: { text, states } };
    }),
  ];
});

function withModel(surface: Surface, model: string): Surface {
  const bodyOf: Surface['bodyOf'] = (...parts) => ({ ...surface.bodyOf(...parts), model });
  return { ...surface, bodyOf };
}

/** Cached input, if the report's names have a field for it. */
function billsOf(
  reports: NonNullable<PlatformInstructions['reports']>,
): NonNullable<PlatformInstructions['bills']> {
  if (namesWithoutCache.includes(reports)) return {};
  const cachedInputTokens = full.inputTokens / 2;
  if (namesWithoutWrites.includes(reports)) return { cachedInputTokens };
  return { cachedInputTokens, cacheWriteInputTokens: full.inputTokens / 4 };
}
