import { expect, test } from 'vitest';
import { createOneShot } from '../../src/lib/one-shot.ts';

test('a signal reaches each listener once', () => {
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

test('a past signal reaches a listener at once', () => {
  const calls: string[] = [];
  const moment = createOneShot();
  moment.fire();
  moment.onFire(() => calls.push('late'))();
  expect(calls).toEqual(['late']);
});

test('a listener can remove other listeners, and listen again', () => {
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
