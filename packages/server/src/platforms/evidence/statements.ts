import type { Doubt } from '../../domain/doubt.ts';
import type { ReportedUsage } from '../model/port.ts';
import { type ReadUsage, readStatement } from './evidence.ts';
import { hasCount, noUsage, together, withCostOf, withMore } from './merge.ts';
import { isAllZero } from './reported-usage.ts';

/**
 * Combines a stream's statements. Growing counts are one statement, and the last is exact. A
 * missing count is not zero. A later smaller count is a contradiction, so the most expensive counts
 * apply. Counts before more content are partial.
 */
export class Statements {
  readonly #readUsage: ReadUsage;
  #usage = noUsage;
  #isFinal = false;

  constructor(readUsage: ReadUsage) {
    this.#readUsage = readUsage;
  }

  /** Parameters as in {@link readStatement}. False for skipped zeros after real counts. */
  add(response: unknown, text = '', holder?: string): boolean {
    const reported = readStatement(response, this.#readUsage, text, holder);
    const isTaken = hasCount(reported) && !this.#isReset(reported);
    this.#usage = isTaken
      ? together(this.#usage, reported)
      : withMore(withCostOf(this.#usage, reported), reported.doubts);
    if (isTaken && reported.outputTokens !== undefined) this.#isFinal = true;
    return isTaken;
  }

  #isReset(reported: ReportedUsage): boolean {
    const { inputTokens = 0, outputTokens = 0 } = this.#usage;
    const isLess =
      (inputTokens > 0 && reported.inputTokens === 0) ||
      (outputTokens > 0 && reported.outputTokens === 0);
    return isLess && isAllZero(reported);
  }

  doubt(doubts: readonly Doubt[]) {
    this.#usage = withMore(this.#usage, doubts);
  }

  outdate() {
    this.#isFinal = false;
  }

  final(): ReportedUsage {
    if (this.#isFinal || this.#usage.outputTokens === undefined) return this.#usage;
    const { doubts } = this.#usage;
    return withCostOf({ ...noUsage, doubts, atLeast: this.#usage }, this.#usage);
  }

  reportedSoFar(): ReportedUsage | undefined {
    return hasCount(this.#usage) ? this.#usage : undefined;
  }
}
