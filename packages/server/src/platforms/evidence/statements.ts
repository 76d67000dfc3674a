import type { Doubt } from '../../domain/doubt.ts';
import type { ReportedUsage } from '../model/port.ts';
import { type ReadUsage, readStatement } from './evidence.ts';
import { hasCount, noUsage, together, withCostOf, withMore } from './merge.ts';
import { isAllZero } from './reported-usage.ts';

/**
 * What a stream reports: counts may be stated in any event, and several times. Counts that only
 * grow are one statement, and the last are exact; an unstated count is not a zero. A count that is
 * smaller later contradicts the stream, which then counts with the most expensive reading. Counts
 * are final only where no content came after them: earlier ones are of a part.
 */
export class Statements {
  readonly #readUsage: ReadUsage;
  #usage = noUsage;
  #isFinal = false;

  constructor(readUsage: ReadUsage) {
    this.#readUsage = readUsage;
  }

  /**
   * Takes an event's response; its parameters are those of {@link readStatement}. False for zeros
   * behind true counts, which are passed over.
   */
  add(response: unknown, text = '', holder?: string): boolean {
    const stated = readStatement(response, this.#readUsage, text, holder);
    const isTaken = hasCount(stated) && !this.#isReset(stated);
    this.#usage = isTaken
      ? together(this.#usage, stated)
      : withMore(withCostOf(this.#usage, stated), stated.doubts);
    if (isTaken && stated.outputTokens !== undefined) this.#isFinal = true;
    return isTaken;
  }

  /** Some servers end with an event whose counts they have not filled in. */
  #isReset(stated: ReportedUsage): boolean {
    const { inputTokens = 0, outputTokens = 0 } = this.#usage;
    const isLess =
      (inputTokens > 0 && stated.inputTokens === 0) ||
      (outputTokens > 0 && stated.outputTokens === 0);
    return isLess && isAllZero(stated);
  }

  /** Something that the stream reported without counts. */
  doubt(doubts: readonly Doubt[]) {
    this.#usage = withMore(this.#usage, doubts);
  }

  /** Content has come. */
  outdate() {
    this.#isFinal = false;
  }

  /** What a response is counted with. */
  final(): ReportedUsage {
    if (this.#isFinal || this.#usage.outputTokens === undefined) return this.#usage;
    const { doubts } = this.#usage;
    return withCostOf({ ...noUsage, doubts, atLeast: this.#usage }, this.#usage);
  }

  /** What was stated, of however much; undefined for nothing. */
  stated(): ReportedUsage | undefined {
    return hasCount(this.#usage) ? this.#usage : undefined;
  }
}
