import type { Doubt } from '../../domain/doubt.ts';
import { fieldOf } from '../../lib/json-value.ts';
import { withDoubts } from '../evidence/reported-usage.ts';
import type { ReportedUsage } from '../model/port.ts';
import type { EventJson, Fold, Step } from './codec/fold.ts';
import type { SurfaceCodec } from './codec/surface-codec.ts';

/**
 * For requests that name a non-standard tier: reports the standard tier when the response contains
 * it, because the price then differs. Other codecs assume it.
 */
export function withReportedTier(codec: SurfaceCodec): SurfaceCodec {
  const { stream } = codec;
  return {
    ...codec,
    readUsage: (body) => withDoubts(codec.readUsage(body), standardIn(body)),
    stream: stream && {
      ...stream,
      openFold: (request, emit) => new TierFold(stream.openFold(request, emit)),
    },
  };
}

const field = 'service_tier';
const standardWords: ReadonlySet<unknown> = new Set(['default', 'standard']);

function standardIn(body: unknown): readonly Doubt[] {
  return wordsIn(body)
    .filter((word) => standardWords.has(word))
    .map(doubtOf);
}

function wordsIn(body: unknown): readonly string[] {
  const words = [fieldOf(body, field), fieldOf(fieldOf(body, 'usage'), field)];
  return words.flatMap((word) => (typeof word === 'string' ? word.toLowerCase() : []));
}

function doubtOf(word: string): Doubt {
  return { reason: 'other-tier', name: field, word };
}

/** Ignores tiers that an event only repeats from the request. */
class TierFold implements Fold {
  readonly #fold: Fold;
  readonly #words = new Set<string>();

  constructor(fold: Fold) {
    this.#fold = fold;
  }

  read(event: EventJson, name: string, text: string): Step {
    // An event that differs from an earlier delta only in its text reports nothing new.
    if (text !== '' && !openings.has(event.type)) {
      for (const holder of [event, event.response, event.message])
        for (const word of wordsIn(holder)) this.#words.add(word);
    }
    return this.#fold.read(event, name, text);
  }

  isDelta(event: EventJson): boolean {
    return this.#fold.isDelta(event);
  }

  isFinished(): boolean {
    return this.#fold.isFinished();
  }

  isAnswer(): boolean {
    return this.#fold.isAnswer();
  }

  answer(): EventJson {
    return this.#fold.answer();
  }

  final(): ReportedUsage {
    return this.#withTier(this.#fold.final());
  }

  reportedSoFar(): ReportedUsage | undefined {
    const usage = this.#fold.reportedSoFar();
    return usage && this.#withTier(usage);
  }

  #withTier(usage: ReportedUsage): ReportedUsage {
    const others = usage.doubts.filter(({ name, word }) => {
      return word === undefined || !name.endsWith(field);
    });
    return { ...usage, doubts: [...others, ...[...this.#words].map(doubtOf)] };
  }
}

const openings: ReadonlySet<unknown> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
]);
