import { expect, test } from 'vitest';
import { createOneShot } from '../../src/lib/one-shot.ts';

test('a moment that comes is heard once by each who listens', () => {
  const heard: string[] = [];
  const moment = createOneShot();
  moment.onFire(() => heard.push('one'));
  const forget = moment.onFire(() => heard.push('forgotten'));
  moment.onFire(() => heard.push('two'));
  forget();
  expect([moment.hasFired(), heard]).toEqual([false, []]);
  moment.fire();
  moment.fire();
  expect([moment.hasFired(), heard]).toEqual([true, ['one', 'two']]);
});

test('a moment that has come is heard at once', () => {
  const heard: string[] = [];
  const moment = createOneShot();
  moment.fire();
  moment.onFire(() => heard.push('late'))();
  expect(heard).toEqual(['late']);
});

test('who hears of it may stop others from hearing, and may listen anew', () => {
  const heard: string[] = [];
  const moment = createOneShot();
  moment.onFire(() => {
    heard.push('first');
    forget();
    moment.onFire(() => heard.push('anew'));
  });
  const forget = moment.onFire(() => heard.push('stopped'));
  moment.fire();
  expect(heard).toEqual(['first', 'anew']);
});
