import type { Doubt } from '../../domain/doubt.ts';
import type { ReportedUsage } from '../port.ts';
import { type ReadUsage, readStatement } from './evidence.ts';
import { hasCount, noUsage, together, withMore } from './merge.ts';

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

  /** Takes an event's response; its parameters are those of {@link readStatement}. */
  add(response: unknown, text = '', holder?: string): ReportedUsage {
    const stated = readStatement(response, this.#readUsage, text, holder);
    this.#usage = hasCount(stated)
      ? together(this.#usage, stated)
      : withMore(this.#usage, stated.doubts);
    if (stated.outputTokens !== undefined) this.#isFinal = true;
    return stated;
  }

  /** Something that the stream reported without counts. */
  doubt(doubt: Doubt | undefined) {
    if (doubt !== undefined) this.#usage = withMore(this.#usage, [doubt]);
  }

  /** Content has come. */
  outdate() {
    this.#isFinal = false;
  }

  /** What a response is counted with. */
  final(): ReportedUsage {
    if (this.#isFinal || this.#usage.outputTokens === undefined) return this.#usage;
    return { ...noUsage, doubts: this.#usage.doubts, atLeast: this.#usage };
  }

  /** What was stated, of however much; undefined for nothing. */
  stated(): ReportedUsage | undefined {
    return hasCount(this.#usage) ? this.#usage : undefined;
  }
}
