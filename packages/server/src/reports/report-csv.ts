import { eachInTurns } from '../lib/in-turns.ts';
import { csvLine } from './csv.ts';
import type { Dimension } from './dimensions.ts';
import { type ReportRow, type SumsDocument, sumsDocument } from './report.ts';

const shown = [
  ...(['calls', 'errors', 'inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens'] as const),
  ...(['cacheWrite1hInputTokens', 'outputTokens', 'reasoningTokens'] as const),
  ...(['costUsd', 'exactUsd', 'estimatedUsd', 'correctedUsd', 'unpricedUsd'] as const),
  'unpricedCalls',
] as const satisfies readonly (keyof SumsDocument)[];

/** No total: the rows add up to the report. `seen` limits names to what the reader may see. */
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
