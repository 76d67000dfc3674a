import { isRecord } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../port.ts';
import type { EventJson } from './fold.ts';

/**
 * The counts of a stream that may state them in any event, and several times: the last that are
 * whole. They are final only where no content came behind them: those of a first event, or of one
 * in the middle, are of a part.
 */
export class LastCounts {
  readonly #readUsage: (body: unknown) => ReportedUsage;
  #event: EventJson = {};
  #isWhole = false;
  #isFinal = false;

  constructor(readUsage: (body: unknown) => ReportedUsage) {
    this.#readUsage = readUsage;
  }

  /** Takes an event that has counts, perhaps. */
  add({ usage }: EventJson) {
    if (!isRecord(usage)) return;
    const { inputTokens, outputTokens } = this.#readUsage({ usage });
    if (inputTokens === undefined && outputTokens === undefined) return;
    const isWhole = inputTokens !== undefined && outputTokens !== undefined;
    if (this.#isWhole && !isWhole) return;
    this.#event = { usage };
    this.#isWhole = isWhole;
    this.#isFinal = true;
  }

  /** Content has come. */
  outdate() {
    this.#isFinal = false;
  }

  /** What an answer is counted with. */
  final(): EventJson {
    return this.#isFinal ? this.#event : {};
  }

  /** What was stated, of however much. */
  stated(): EventJson {
    return this.#event;
  }
}
