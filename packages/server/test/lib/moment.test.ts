import { expect, test } from 'vitest';
import { createMoment } from '../../src/lib/moment.ts';

test('a moment that comes is heard once by each who listens', () => {
  const heard: string[] = [];
  const moment = createMoment();
  moment.whenCome(() => heard.push('one'));
  const forget = moment.whenCome(() => heard.push('forgotten'));
  moment.whenCome(() => heard.push('two'));
  forget();
  expect([moment.hasCome(), heard]).toEqual([false, []]);
  moment.come();
  moment.come();
  expect([moment.hasCome(), heard]).toEqual([true, ['one', 'two']]);
});

test('a moment that has come is heard at once', () => {
  const heard: string[] = [];
  const moment = createMoment();
  moment.come();
  moment.whenCome(() => heard.push('late'))();
  expect(heard).toEqual(['late']);
});

test('who hears of it may stop others from hearing, and may listen anew', () => {
  const heard: string[] = [];
  const moment = createMoment();
  moment.whenCome(() => {
    heard.push('first');
    forget();
    moment.whenCome(() => heard.push('anew'));
  });
  const forget = moment.whenCome(() => heard.push('stopped'));
  moment.come();
  expect(heard).toEqual(['first', 'anew']);
});
