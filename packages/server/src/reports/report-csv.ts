import { csvLines } from './csv.ts';
import type { Dimension } from './dimensions.ts';
import { type ReportRow, type SumsDocument, sumsDocument } from './report.ts';

/** The sums of a report in the order in which files have them. */
const shown = [
  ...(['calls', 'errors', 'inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens'] as const),
  ...(['cacheWrite1hInputTokens', 'outputTokens', 'reasoningTokens'] as const),
  ...(['costUsd', 'exactUsd', 'estimatedUsd', 'correctedUsd', 'unpricedUsd'] as const),
  'unpricedCalls',
] as const satisfies readonly (keyof SumsDocument)[];

/** A file for spreadsheets: the sums of its rows are those of the report, so it has no total. */
export function reportCsv(by: readonly Dimension[], rows: readonly ReportRow[]): readonly string[] {
  return csvLines(
    [...by, ...shown],
    rows.map(({ names, sums }) => {
      const document = sumsDocument(sums);
      return [...names, ...shown.map((field) => ({ number: String(document[field]) }))];
    }),
  );
}
