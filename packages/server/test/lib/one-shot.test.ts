import { expect, test } from 'vitest';
import { createOneShot } from '../../src/lib/one-shot.ts';

test('a moment that comes is heard once by each who listens', () => {
  const calls: string[] = [];
  const moment = createOneShot();
  moment.onFire(() => calls.push('one'));
  const unsubscribe = moment.onFire(() => calls.push('forgotten'));
  moment.onFire(() => calls.push('two'));
  unsubscribe();
  expect([moment.hasFired(), calls]).toEqual([false, []]);
  moment.fire();
  moment.fire();
  expect([moment.hasFired(), calls]).toEqual([true, ['one', 'two']]);
});

test('a moment that has come is heard at once', () => {
  const calls: string[] = [];
  const moment = createOneShot();
  moment.fire();
  moment.onFire(() => calls.push('late'))();
  expect(calls).toEqual(['late']);
});

test('who hears of it may stop others from hearing, and may listen anew', () => {
  const calls: string[] = [];
  const moment = createOneShot();
  moment.onFire(() => {
    calls.push('first');
    unsubscribe();
    moment.onFire(() => calls.push('anew'));
  });
  const unsubscribe = moment.onFire(() => calls.push('stopped'));
  moment.fire();
  expect(calls).toEqual(['first', 'anew']);
});
