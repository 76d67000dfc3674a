import { expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import type { HealthSignal } from '../../src/platforms/outage/circuit.ts';
import {
  type CircuitBreakers,
  createCircuitBreakers,
} from '../../src/platforms/outage/circuit-breakers.ts';

function openBreakers(circuitsMax = 1_000, isOneOfSeveral = false) {
  const clock = { ms: 0, monotonic: () => clock.ms };
  const messages: string[] = [];
  const record = (_: object, message: string) => void messages.push(message);
  const log = { ...silentLog, info: record, warn: record };
  return {
    clock,
    told: messages,
    breakers: createCircuitBreakers({ clock, log, circuitsMax, isOneOfSeveral }),
  };
}

const model = (id: string, isListed = false, platform = 'local') => ({ id, platform, isListed });

function attempt(
  breakers: CircuitBreakers,
  row: ReturnType<typeof model>,
  signal: HealthSignal,
  times = 1,
) {
  for (let index = 0; index < times; index++) {
    const entry = breakers.modelOf(row).circuit.enter();
    if (entry.kind === 'entered') entry.leave(signal);
  }
}

test('models have their own circuits, and share the retries of their platform', () => {
  const { breakers } = openBreakers();
  const a = model('a', true);
  const b = model('b', true);
  attempt(breakers, a, 'failure', 21);
  for (let index = 0; index < 60; index++) breakers.modelOf(a).retries.take();
  for (let index = 0; index < 60; index++) breakers.modelOf(b).retries.take();
  expect(breakers.modelOf(model('a', true, 'elsewhere')).retries.take()).toBe(true);
  expect(breakers.modelOf(b).circuit.state()).toBe('closed');
  expect(breakers.snapshot()).toEqual({
    platforms: [
      {
        ...{ platform: 'local', retriesTaken: 100, retriesDenied: 20 },
        ...{ circuitsOpened: 1, attemptsRefused: 1 },
      },
      {
        ...{ platform: 'elsewhere', retriesTaken: 1, retriesDenied: 0 },
        ...{ circuitsOpened: 0, attemptsRefused: 0 },
      },
    ],
    circuits: [
      { platform: 'local', model: 'a', state: 'open' },
      { platform: 'local', model: 'b', state: 'closed' },
      { platform: 'elsewhere', model: 'a', state: 'closed' },
    ],
  });
});

test('each path of a model has its own circuit, and the model has one row: its worst', () => {
  const { breakers } = openBreakers();
  const onChat = { ...model('a', true), speaks: ['v1-chat', 'v1-responses'] } as const;
  const onResponses = { ...onChat, speaks: ['v1-responses', 'v1-chat'] } as const;
  attempt(breakers, onChat, 'success');
  attempt(breakers, onResponses, 'failure', 20);
  expect(breakers.modelOf(onChat).circuit.state()).toBe('closed');
  expect(breakers.modelOf(onResponses).circuit.state()).toBe('open');
  expect(breakers.snapshot().circuits).toEqual([{ platform: 'local', model: 'a', state: 'open' }]);
});

test('models without a row are one row of the snapshot, with the worst of their states', () => {
  const { breakers, clock } = openBreakers();
  attempt(breakers, model('x'), 'success');
  attempt(breakers, model('y'), 'failure', 20);
  attempt(breakers, model('z'), 'success');
  const stateOfOther = () => breakers.snapshot().circuits.map((row) => `${row.model} ${row.state}`);
  expect(stateOfOther()).toEqual(['other open']);
  clock.ms += 5_000;
  breakers.modelOf(model('y')).circuit.enter();
  expect(stateOfOther()).toEqual(['other probing']);
  expect(breakers.modelOf(model('x')).circuit.state()).toBe('closed');
});

test('callers cannot create circuits without limit: beyond it they share one', () => {
  const { breakers, clock } = openBreakers(10);
  for (let index = 0; index < 10; index++) attempt(breakers, model(`m${index}`), 'failure', 20);
  expect(breakers.modelOf(model('new')).circuit).toBe(breakers.modelOf(model('newer')).circuit);
  expect(breakers.modelOf(model('new')).circuit).not.toBe(breakers.modelOf(model('m0')).circuit);
  const elsewhere = model('new', false, 'elsewhere');
  expect(breakers.modelOf(elsewhere).circuit).not.toBe(breakers.modelOf(model('new')).circuit);
  // A model of the catalog still has its own.
  expect(breakers.modelOf(model('listed', true)).circuit).not.toBe(
    breakers.modelOf(model('new')).circuit,
  );
  // A model without a request in a minute is evicted.
  clock.ms += 60_001;
  expect(breakers.modelOf(model('new')).circuit).not.toBe(breakers.modelOf(model('newer')).circuit);
});

test('the log reports a circuit that opens, probes and closes', () => {
  const { breakers, clock, told: messages } = openBreakers();
  attempt(breakers, model('a', true), 'failure', 20);
  clock.ms += 5_000;
  attempt(breakers, model('a', true), 'success');
  expect(messages).toEqual([
    'circuit opened: the model keeps failing; calls are rejected for 5 s',
    'circuit half-open: one probe call is sent',
    'circuit closed: the model works again',
  ]);
});

test('a thread without requests to a model for a minute does not report its circuit', () => {
  const row = model('a', true);
  const statesOf = ({ breakers, clock }: ReturnType<typeof openBreakers>) => {
    attempt(breakers, row, 'failure', 20);
    return [0, 60_000, 1].map((ms) => {
      clock.ms += ms;
      return breakers.snapshot().circuits[0]?.state;
    });
  };
  expect(statesOf(openBreakers())).toEqual(['open', 'open', 'open']);
  expect(statesOf(openBreakers(1_000, true))).toEqual(['open', 'open', 'closed']);
});
