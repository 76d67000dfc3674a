import type { SimulatorClock } from '../lib/clock.ts';
import type { StreamBody, StreamSink } from '../lib/wire.ts';
import type { StreamPlan, StreamStop } from '../model/stream-plan.ts';
import type { TokenCounts } from '../model/usage.ts';
import type { StreamEncoder, StreamEvent } from './encoder.ts';
import { createFraming } from './framing.ts';
import type { StreamSegment } from './segments.ts';

interface Parts {
  readonly clock: SimulatorClock;
  readonly plan: StreamPlan;
  readonly segments: readonly StreamSegment[];
  readonly encoder: StreamEncoder;
  readonly delayMs: number;
  usageOf(generated: number): TokenCounts;
  /** Called once. The returned function records the complete delivery. */
  charge(usage: TokenCounts): () => void;
}

/**
 * Makes the next delta after the connection has the previous one and the gap. Bills when generation
 * ends: complete, or when the client disconnects unless the plan continues.
 */
export function createPlayer(parts: Parts): StreamBody {
  const { segments, plan, usageOf } = parts;
  let onAnswered: (() => void) | undefined;
  return { start, abandon: () => bill(0) };

  function start(sink: StreamSink) {
    const performance = perform(parts, sink, bill, () => onAnswered?.());
    return {
      leave() {
        bill(performance.stop());
      },
    };
  }

  /** Only the first call has an effect. */
  function bill(generated: number): void {
    const isWhole = plan.goesOn === true && onAnswered === undefined;
    onAnswered ??= parts.charge(usageOf(isWhole ? segments.length : generated));
  }
}

function perform(
  { clock, plan, segments, encoder, delayMs, usageOf }: Parts,
  sink: StreamSink,
  bill: (generated: number) => void,
  onAnswered: () => void,
) {
  const framing = createFraming(plan);
  const steps = stepsOf();
  let generated = 0;
  let taken = 0;
  let isOver = false;
  let timer: { cancel(): void } | undefined;
  wait(delayMs, () => write(framing.pieces(encoder.begin()), next));
  return {
    stop(): number {
      isOver = true;
      timer?.cancel();
      return generated;
    },
  };

  function* stepsOf(): Iterator<readonly StreamEvent[]> {
    for (const segment of segments) {
      generated++;
      yield encoder.delta(segment, () => usageOf(generated));
    }
    bill(generated);
    for (const event of encoder.end()) yield [event];
  }

  function next(): void {
    if (plan.stop?.after === taken) halt(plan.stop);
    else wait(generated < segments.length ? (plan.gapMs ?? 0) : 0, step);
  }

  function step(): void {
    const { value: events } = steps.next();
    if (events === undefined) {
      write(framing.rest(), () => sink.end(onAnswered));
      return;
    }
    const { after: largeAfter, bytes } = plan.large ?? { after: -1, bytes: 0 };
    const pieces = framing.pieces(events, largeAfter === taken ? bytes : 0);
    taken++;
    write(pieces, next);
  }

  function halt({ how }: StreamStop): void {
    bill(generated);
    if (how === 'silence') return;
    if (how === 'break') write(framing.rest(), sink.reset);
    else if (how === 'end') write(framing.rest(), () => sink.end());
    else {
      const failure = framing.pieces(encoder.fail(usageOf(generated)));
      write([...failure, ...framing.rest()], () => sink.end());
    }
  }

  function write(pieces: readonly Uint8Array[], then: () => void, from = 0): void {
    if (isOver) return;
    const piece = pieces[from];
    if (piece === undefined) then();
    else sink.write(piece, () => write(pieces, then, from + 1));
  }

  function wait(waitMs: number, run: () => void): void {
    if (waitMs > 0) timer = clock.after(waitMs, run);
    else run();
  }
}
