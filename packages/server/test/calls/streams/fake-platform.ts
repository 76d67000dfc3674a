import type { Routing } from '../../../src/calls/admission/routing.ts';
import type { Delta, ModelContent } from '../../../src/platforms/model/content.ts';
import type {
  AttemptOptions,
  AttemptOutcome,
  AttemptStream,
  ReportedUsage,
} from '../../../src/platforms/model/port.ts';
import type { Circuit } from '../../../src/platforms/outage/circuit.ts';

/** An attempt at the fake platform. The test controls its events. */
export interface FakeAttempt {
  /** Whether the gateway has paused the stream. */
  isPaused(): boolean;
  isCut(): boolean;
  /** An event without content. */
  ping(): void;
  delta(delta: Delta): void;
  text(text: string): void;
  /** An event with counts, which are known afterwards. */
  state(inputTokens: number, outputTokens?: number): void;
  /** Its last event, with the reported counts unless `more` has others. */
  finish(more?: Partial<Extract<AttemptOutcome, { kind: 'answered' }>>): void;
  /** It ends early. `wasHeldBack`: was the stream paused, whatever was read since. */
  breakOff(wasHeldBack?: true): void;
  /** It fails before its stream begins. */
  fail(more?: Partial<Extract<AttemptOutcome, { kind: 'failed' }>>): void;
}

/** A platform whose every event comes from the test. */
export interface FakePlatform {
  readonly routing: Routing;
  readonly attempts: readonly FakeAttempt[];
  streams: boolean;
}

const noCounts: ReportedUsage = {
  inputTokens: undefined,
  cachedInputTokens: undefined,
  cacheWriteInputTokens: undefined,
  outputTokens: undefined,
  reasoningTokens: undefined,
  doubts: [],
};

/** Counts as a platform reports them. */
export function counts(inputTokens: number, outputTokens: number): ReportedUsage {
  return { ...noCounts, inputTokens, outputTokens };
}

/** A platform without requests. */
export function fakePlatform(): FakePlatform {
  const attempts: FakeAttempt[] = [];
  const platform = { attempts, streams: true };
  const attempt = (_request: unknown, options: AttemptOptions) => {
    const { stream } = options;
    if (stream === undefined) throw new Error('a streamed call follows its attempts');
    const { made, outcome } = fakeAttempt(options, stream);
    attempts.push(made);
    return outcome;
  };
  const port = {
    attempt,
    wire: undefined,
    carryNames: [],
    get streams() {
      return platform.streams;
    },
  };
  const open = () => ({
    port,
    breaker: {
      circuit: {
        enter: () => ({ kind: 'entered', leave: () => undefined }) as const,
        isRefusing: () => false,
        state: () => 'closed' as const,
      },
      retries: { take: () => true, counts: () => ({ taken: 0, denied: 0 }) },
    },
  });
  const route = {
    projectId: undefined,
    wire: () => undefined,
    canStream: () => platform.streams,
    open,
  };
  return Object.assign(platform, {
    routing: { routeOf: () => route, unusable: new Set<Circuit>() },
  });
}

const isContent = (delta: Delta): delta is ModelContent =>
  !['tool-input', 'own', 'event'].includes(delta.type);

function fakeAttempt({ signal }: AttemptOptions, stream: AttemptStream) {
  const { promise: outcome, resolve } = Promise.withResolvers<AttemptOutcome>();
  const content: ModelContent[] = [];
  let usage = noCounts;
  let isPaused = false;
  const failure = {
    ...({ kind: 'failed', code: 'SERVER', billed: 'unknown', isRetryable: false } as const),
    ...{ retryAfterMs: undefined, status: undefined, requestId: 'up_1', detail: 'as told' },
  };
  const breakOff = (wasHeldBack?: true) => {
    const held = wasHeldBack === undefined ? {} : { wasHeldBack };
    resolve({ ...failure, ...held, status: 200, broke: true, usage });
  };
  signal.addEventListener('abort', () => breakOff());
  stream.onFlow({
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
    },
  });
  const made: FakeAttempt = {
    isPaused: () => isPaused,
    isCut: () => signal.aborted,
    ping: stream.onEvent,
    delta(delta) {
      stream.onEvent();
      if (isContent(delta)) content.push(delta);
      stream.onDelta(delta);
    },
    text: (text) => made.delta({ type: 'text', text }),
    state(inputTokens, outputTokens) {
      stream.onEvent();
      usage = { ...usage, inputTokens, outputTokens };
    },
    finish(more) {
      const answered = { content, finish: 'stop', finishRaw: 'stop', usage } as const;
      resolve({ kind: 'answered', ...answered, requestId: 'up_1', ...more });
    },
    breakOff,
    fail: (more) => resolve({ ...failure, isRetryable: true, usage: undefined, ...more }),
  };
  return { made, outcome };
}
