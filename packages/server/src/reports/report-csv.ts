import { eachInTurns } from '../lib/in-turns.ts';
import { csvLine } from './csv.ts';
import type { Dimension } from './dimensions.ts';
import { type ReportRow, type SumsDocument, sumsDocument } from './report.ts';

/** The sums of a report in the order in which files have them. */
const shown = [
  ...(['calls', 'errors', 'inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens'] as const),
  ...(['cacheWrite1hInputTokens', 'outputTokens', 'reasoningTokens'] as const),
  ...(['costUsd', 'exactUsd', 'estimatedUsd', 'correctedUsd', 'unpricedUsd'] as const),
  'unpricedCalls',
] as const satisfies readonly (keyof SumsDocument)[];

/**
 * A file for spreadsheets: the sums of its rows are those of the report, so it has no total. `seen`
 * is what its reader may see of a row's names.
 */
export async function reportCsv(
  by: readonly Dimension[],
  rows: readonly ReportRow[],
  seen: (names: readonly string[]) => readonly string[] = (names) => names,
): Promise<readonly string[]> {
  const lines = [csvLine([...by, ...shown])];
  await eachInTurns(rows, ({ names, sums }) => {
    const document = sumsDocument(sums);
    const numbers = shown.map((field) => ({ number: String(document[field]) }));
    lines.push(csvLine([...seen(names), ...numbers]));
  });
  return lines;
}
