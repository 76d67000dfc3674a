import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttemptOutcome } from '../../src/platforms/model/port.ts';
import {
  type Circuit,
  type CircuitState,
  createCircuit,
  type HealthSignal,
  healthSignalOf,
  type ResponseState,
} from '../../src/platforms/outage/circuit.ts';

/** A circuit whose time is `clock.ms`, and its events. */
function circuitAt(startMs = 0) {
  const clock = { ms: startMs, monotonic: () => clock.ms };
  const changes: CircuitState[] = [];
  const onChange = (state: CircuitState) => void changes.push(state);
  let refusals = 0;
  const onRefusal = () => {
    refusals += 1;
  };
  const circuit = createCircuit({ clock, onChange, onRefusal });
  return { clock, circuit, changes, refusals: () => refusals };
}

/** Enters; the circuit must allow it. */
function enter(circuit: Circuit): (signal: HealthSignal, response?: ResponseState) => void {
  const entry = circuit.enter();
  if (entry.kind === 'refused') throw new Error(`refused for ${entry.forMs} ms`);
  return entry.leave;
}

function attempt(circuit: Circuit, signal: HealthSignal, times = 1) {
  for (let index = 0; index < times; index++) enter(circuit)(signal);
}

function opened() {
  const made = circuitAt();
  attempt(made.circuit, 'failure', 20);
  expect(made.circuit.state()).toBe('open');
  return made;
}

describe('a closed circuit', () => {
  test('opens at the twentieth failure of twenty, and reports for how long', () => {
    const { circuit, clock, changes, refusals } = circuitAt();
    attempt(circuit, 'failure', 19);
    expect([circuit.state(), circuit.isRefusing()]).toEqual(['closed', false]);
    attempt(circuit, 'failure');
    expect([circuit.state(), circuit.isRefusing()]).toEqual(['open', true]);
    expect(circuit.enter()).toEqual({ kind: 'refused', forMs: 5_000 });
    clock.ms += 4_999;
    expect(circuit.enter()).toEqual({ kind: 'refused', forMs: 1 });
    expect([changes, refusals()]).toEqual([['open'], 2]);
  });

  test('opens at half of them, and not below', () => {
    const half = circuitAt();
    attempt(half.circuit, 'success', 10);
    attempt(half.circuit, 'failure', 9);
    expect(half.circuit.state()).toBe('closed');
    attempt(half.circuit, 'failure');
    expect(half.circuit.state()).toBe('open');
    const fewer = circuitAt();
    attempt(fewer.circuit, 'success', 11);
    attempt(fewer.circuit, 'failure', 10);
    expect(fewer.circuit.state()).toBe('closed');
  });

  test('expires failures after 10 s', () => {
    const { circuit, clock } = circuitAt();
    attempt(circuit, 'failure', 19);
    clock.ms += 10_000;
    attempt(circuit, 'failure');
    expect(circuit.state()).toBe('closed');
    clock.ms += 9_000;
    attempt(circuit, 'failure', 19);
    expect(circuit.state()).toBe('open');
  });

  test('ignores outcomes that prove nothing', () => {
    const { circuit } = circuitAt();
    attempt(circuit, 'ignored', 1_000);
    attempt(circuit, 'failure', 19);
    expect(circuit.state()).toBe('closed');
  });

  test('opens as a naive count of the last 10 s does', () => {
    const step = fc.record({ waitMs: fc.nat(900), fails: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
        const { circuit, clock } = circuitAt();
        const seen: { slot: number; fails: boolean }[] = [];
        for (const { waitMs, fails } of steps) {
          clock.ms += waitMs;
          attempt(circuit, fails ? 'failure' : 'success');
          const slot = Math.floor(clock.ms / 1_000);
          seen.push({ slot, fails });
          const recent = seen.filter((row) => row.slot > slot - 10);
          const failures = recent.filter((row) => row.fails).length;
          const isOpen = recent.length >= 20 && failures / recent.length >= 0.5;
          expect(circuit.state()).toBe(isOpen ? 'open' : 'closed');
          if (isOpen) return;
        }
      }),
    );
  });
});

describe('an open circuit', () => {
  test('lets exactly one probe through after 5 s; its success closes', () => {
    const { circuit, clock, changes } = opened();
    clock.ms += 5_000;
    expect(circuit.isRefusing()).toBe(false);
    const leave = enter(circuit);
    expect([circuit.state(), circuit.isRefusing()]).toEqual(['probing', true]);
    expect(circuit.enter().kind).toBe('refused');
    leave('success');
    expect(circuit.state()).toBe('closed');
    expect(changes).toEqual(['open', 'probing', 'closed']);
    // Earlier outcomes do not count.
    attempt(circuit, 'failure', 19);
    expect(circuit.state()).toBe('closed');
  });

  test('opens for another 5 s when the probe fails, as often as it takes', () => {
    const { circuit, clock } = opened();
    for (let round = 0; round < 3; round++) {
      clock.ms += 5_000;
      attempt(circuit, 'failure');
      expect(circuit.enter()).toEqual({ kind: 'refused', forMs: 5_000 });
    }
  });

  test('passes the turn of an inconclusive probe to the next call', () => {
    const { circuit, clock } = opened();
    clock.ms += 5_000;
    attempt(circuit, 'ignored');
    expect(circuit.isRefusing()).toBe(false);
    attempt(circuit, 'success');
    expect(circuit.state()).toBe('closed');
  });

  test('waits 5 s for a probe, and then lets another one through', () => {
    const { circuit, clock } = opened();
    clock.ms += 5_000;
    const stuck = enter(circuit);
    clock.ms += 4_999;
    expect(circuit.enter()).toEqual({ kind: 'refused', forMs: 1 });
    clock.ms += 1;
    const second = enter(circuit);
    expect(circuit.enter().kind).toBe('refused');
    // The stuck probe does not affect the second.
    stuck('ignored');
    expect(circuit.enter().kind).toBe('refused');
    second('success');
    expect(circuit.state()).toBe('closed');
    stuck('failure');
    expect(circuit.state()).toBe('closed');
  });

  test('ignores attempts that began before it opened', () => {
    const { circuit, clock } = circuitAt();
    const early = Array.from({ length: 60 }, () => enter(circuit));
    for (const leave of early.slice(0, 20)) leave('failure');
    clock.ms += 4_000;
    for (const leave of early.slice(20, 40)) leave('failure');
    expect(circuit.enter()).toEqual({ kind: 'refused', forMs: 1_000 });
    clock.ms += 1_000;
    attempt(circuit, 'success');
    for (const leave of early.slice(40)) leave('failure');
    expect(circuit.state()).toBe('closed');
  });

  test('is never stuck: whatever happens, a probe is let through within 5 s', () => {
    const signal = fc.constantFrom<HealthSignal>('success', 'failure', 'ignored');
    const step = fc.record({ waitMs: fc.nat(7_000), signal, leaves: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { circuit, clock } = opened();
        for (const { waitMs, leaves, signal: told } of steps) {
          clock.ms += waitMs;
          const entry = circuit.enter();
          if (entry.kind === 'entered' && leaves) entry.leave(told);
          if (entry.kind === 'refused') expect(entry.forMs).toBeLessThanOrEqual(5_000);
        }
        clock.ms += 5_000;
        expect(circuit.enter().kind).toBe('entered');
      }),
    );
  });
});

describe('an outcome’s meaning for its platform', () => {
  const failed = {
    ...({ kind: 'failed', code: 'SERVER', billed: 'no', isRetryable: true } as const),
    ...{ retryAfterMs: undefined, status: undefined, requestId: undefined, usage: undefined },
    detail: '',
  };
  const counts = {
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    doubts: [],
    reasoningTokens: 0,
  };
  const answered: AttemptOutcome = {
    ...{ kind: 'answered', content: [], finish: 'stop', finishRaw: 'stop' },
    usage: { inputTokens: 1, outputTokens: 1, ...counts },
    requestId: undefined,
  };
  test.each<readonly [string, AttemptOutcome, HealthSignal]>([
    ['an answer', answered, 'success'],
    ['a lost connection', failed, 'failure'],
    ['one lost within its answer', { ...failed, status: 200 }, 'failure'],
    ['500', { ...failed, status: 500 }, 'failure'],
    ['504', { ...failed, status: 504, billed: 'unknown' }, 'failure'],
    ['408', { ...failed, status: 408, billed: 'unknown' }, 'success'],
    ['429', { ...failed, code: 'THROTTLED', status: 429 }, 'success'],
    ['400', { ...failed, code: 'BAD_REQUEST', isRetryable: false, status: 400 }, 'success'],
    ['401', { ...failed, code: 'AUTH', isRetryable: false, status: 401 }, 'success'],
    ['404', { ...failed, code: 'NOT_FOUND', isRetryable: false, status: 404 }, 'success'],
    ['301', { ...failed, isRetryable: false, status: 301 }, 'success'],
    ['a page', { ...failed, billed: 'unknown', isRetryable: false, status: 200 }, 'success'],
    ['no words', { ...failed, code: 'BAD_REQUEST', isRetryable: false }, 'ignored'],
    ['no descriptors', { ...failed, isRetryable: false, isOwnFault: true }, 'ignored'],
  ])('%s', (_, outcome, signal) => {
    expect(healthSignalOf(outcome, false)).toBe(signal);
    if (outcome.kind === 'failed') expect(healthSignalOf(outcome, true)).toBe('ignored');
  });
});

describe('a model without a usable response', () => {
  /** Attempts with these responses, one after another. */
  function respond(circuit: Circuit, ...responses: readonly ResponseState[]) {
    for (const response of responses)
      enter(circuit)(response === 'usable' ? 'success' : 'failure', response);
  }

  test('is paused after five of one cause, but for one call a minute', () => {
    const { circuit, clock, changes } = circuitAt();
    respond(circuit, 'html', 'html', 'html', 'html');
    expect(circuit.state()).toBe('closed');
    respond(circuit, 'html');
    expect(circuit.enter()).toEqual({ kind: 'refused', forMs: 60_000, unusable: 'html' });
    clock.ms += 60_000;
    const probe = enter(circuit);
    expect(circuit.enter()).toMatchObject({ kind: 'refused', forMs: 60_000 });
    probe('failure', 'compressed');
    expect(circuit.enter()).toEqual({ kind: 'refused', forMs: 60_000, unusable: 'html' });
    clock.ms += 60_000;
    respond(circuit, 'usable');
    expect(circuit.state()).toBe('closed');
    expect(changes).toEqual(['open', 'probing', 'open', 'probing', 'closed']);
  });

  test('is called as before if causes differ, or another response is among them', () => {
    const { circuit } = circuitAt();
    respond(circuit, 'html', 'html', 'html', 'html', 'empty', 'html', 'html', 'html', 'html');
    enter(circuit)('success');
    respond(circuit, 'html', 'html', 'html', 'html');
    expect(circuit.state()).toBe('closed');
  });

  test('recovers after its first usable response', () => {
    const { circuit } = circuitAt();
    respond(circuit, 'usable', 'html', 'html', 'html', 'html', 'html', 'html');
    expect(circuit.state()).toBe('closed');
  });

  test('is not usable for a rejection that can be parsed', () => {
    const { circuit, clock } = circuitAt();
    respond(circuit, 'html', 'html', 'html', 'html', 'html');
    clock.ms += 60_000;
    enter(circuit)('success');
    expect(circuit.enter()).toMatchObject({ kind: 'refused', unusable: 'html' });
  });

  test('is usable at once for the response of an earlier call', () => {
    const { circuit } = circuitAt();
    const late = enter(circuit);
    respond(circuit, 'html', 'html', 'html', 'html', 'html');
    late('success', 'usable');
    expect(circuit.state()).toBe('closed');
  });
});
