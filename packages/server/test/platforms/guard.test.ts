import { expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import type { HealthSignal } from '../../src/platforms/outage/circuit.ts';
import { createGuard, type Guard } from '../../src/platforms/outage/guard.ts';

function guardOf(circuitsMax = 1_000, isOneOfSeveral = false) {
  const clock = { ms: 0, monotonic: () => clock.ms };
  const told: string[] = [];
  const tell = (_: object, message: string) => void told.push(message);
  const log = { ...silentLog, info: tell, warn: tell };
  return { clock, told, guard: createGuard({ clock, log, circuitsMax, isOneOfSeveral }) };
}

const model = (id: string, isListed = false, platform = 'local') => ({ id, platform, isListed });

function attempt(guard: Guard, row: ReturnType<typeof model>, signal: HealthSignal, times = 1) {
  for (let index = 0; index < times; index++) {
    const entry = guard.modelOf(row).circuit.enter();
    if (entry.kind === 'entered') entry.leave(signal);
  }
}

test('models have circuits of their own, and share the retries of their platform', () => {
  const { guard } = guardOf();
  const a = model('a', true);
  const b = model('b', true);
  attempt(guard, a, 'failure', 21);
  for (let index = 0; index < 60; index++) guard.modelOf(a).retries.take();
  for (let index = 0; index < 60; index++) guard.modelOf(b).retries.take();
  expect(guard.modelOf(model('a', true, 'elsewhere')).retries.take()).toBe(true);
  expect(guard.modelOf(b).circuit.state()).toBe('closed');
  expect(guard.snapshot()).toEqual({
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
  const { guard } = guardOf();
  const onChat = { ...model('a', true), speaks: ['v1-chat', 'v1-responses'] } as const;
  const onResponses = { ...onChat, speaks: ['v1-responses', 'v1-chat'] } as const;
  attempt(guard, onChat, 'success');
  attempt(guard, onResponses, 'failure', 20);
  expect(guard.modelOf(onChat).circuit.state()).toBe('closed');
  expect(guard.modelOf(onResponses).circuit.state()).toBe('open');
  expect(guard.snapshot().circuits).toEqual([{ platform: 'local', model: 'a', state: 'open' }]);
});

test('models that no row names are one row of the snapshot, with the worst of their states', () => {
  const { guard, clock } = guardOf();
  attempt(guard, model('x'), 'success');
  attempt(guard, model('y'), 'failure', 20);
  attempt(guard, model('z'), 'success');
  const stateOfOther = () => guard.snapshot().circuits.map((row) => `${row.model} ${row.state}`);
  expect(stateOfOther()).toEqual(['other open']);
  clock.ms += 5_000;
  guard.modelOf(model('y')).circuit.enter();
  expect(stateOfOther()).toEqual(['other probing']);
  expect(guard.modelOf(model('x')).circuit.state()).toBe('closed');
});

test('callers cannot make circuits without end: beyond the bound they share one', () => {
  const { guard, clock } = guardOf(10);
  for (let index = 0; index < 10; index++) attempt(guard, model(`m${index}`), 'failure', 20);
  expect(guard.modelOf(model('new')).circuit).toBe(guard.modelOf(model('newer')).circuit);
  expect(guard.modelOf(model('new')).circuit).not.toBe(guard.modelOf(model('m0')).circuit);
  const elsewhere = model('new', false, 'elsewhere');
  expect(guard.modelOf(elsewhere).circuit).not.toBe(guard.modelOf(model('new')).circuit);
  // A model of the catalog has one of its own all the same.
  expect(guard.modelOf(model('listed', true)).circuit).not.toBe(
    guard.modelOf(model('new')).circuit,
  );
  // What nobody has asked for in a minute makes room.
  clock.ms += 60_001;
  expect(guard.modelOf(model('new')).circuit).not.toBe(guard.modelOf(model('newer')).circuit);
});

test('the log hears of a circuit that opens, probes and closes', () => {
  const { guard, clock, told } = guardOf();
  attempt(guard, model('a', true), 'failure', 20);
  clock.ms += 5_000;
  attempt(guard, model('a', true), 'success');
  expect(told).toEqual([
    'circuit opened: the model keeps failing; calls are rejected for 5 s',
    'circuit half-open: one probe call is sent',
    'circuit closed: the model works again',
  ]);
});

test('of several threads, one that has not asked a model for a minute says nothing of it', () => {
  const row = model('a', true);
  const statesOf = ({ guard, clock }: ReturnType<typeof guardOf>) => {
    attempt(guard, row, 'failure', 20);
    return [0, 60_000, 1].map((ms) => {
      clock.ms += ms;
      return guard.snapshot().circuits[0]?.state;
    });
  };
  expect(statesOf(guardOf())).toEqual(['open', 'open', 'open']);
  expect(statesOf(guardOf(1_000, true))).toEqual(['open', 'open', 'closed']);
});
