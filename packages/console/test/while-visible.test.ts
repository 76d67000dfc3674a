import { Window } from 'happy-dom';
import { expect, onTestFinished, test } from 'vitest';
import { whileVisible } from '../src/shell/use-live.ts';

test('a hidden page has no stream, and a visible page has one again', async () => {
  const window = new Window();
  const before = Object.getOwnPropertyDescriptor(globalThis, 'document');
  Object.defineProperty(globalThis, 'document', { value: window.document, configurable: true });
  onTestFinished(async () => {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'document');
    else Object.defineProperty(globalThis, 'document', before);
    await window.happyDOM.close();
  });
  const counts = { begun: 0, ended: 0 };
  const turn = (state: string) => {
    Object.defineProperty(window.document, 'visibilityState', { value: state, configurable: true });
    window.document.dispatchEvent(new window.Event('visibilitychange'));
  };
  const stop = whileVisible(() => {
    counts.begun += 1;
    return () => {
      counts.ended += 1;
    };
  });
  expect(counts).toEqual({ begun: 1, ended: 0 });
  turn('hidden');
  expect(counts).toEqual({ begun: 1, ended: 1 });
  turn('hidden');
  turn('visible');
  turn('visible');
  expect(counts).toEqual({ begun: 2, ended: 1 });
  stop();
  turn('hidden');
  turn('visible');
  expect(counts).toEqual({ begun: 2, ended: 2 });
});
