import { counts } from './fake-platform.ts';
import {
  advance,
  asDelivered,
  exact,
  finish,
  hello,
  type Row,
  rates,
  talkFor,
} from './who-pays-scene.ts';

/** Streams with an end, with a caller that disconnects, or with too little time. */
export const callerRows: readonly Row[] = [
  {
    what: 'a stream that comes to its end',
    play: (scene) => {
      hello(scene);
      finish(scene);
    },
    ...({ code: 'OK', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a stream that stopped at maxTokens',
    play: ({ attempt }) => {
      attempt.text('Hello ');
      attempt.finish({ finish: 'length', usage: counts(24, 4) });
    },
    ...({ code: 'TRUNCATED', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a caller that left before anything was delivered, and an answer',
    play: (scene) => {
      scene.attempt.delta({ type: 'reasoning', text: 'Hm' });
      scene.caller.leave();
      finish(scene);
    },
    ...({ code: 'ABORTED', basis: 'exact', budget: exact } as const),
    wallet: { keyed: exact, plain: 0n },
  },
  {
    what: 'a caller that left before the first delta, and an answer',
    play: async (scene) => {
      scene.caller.leave();
      await scene.streams.stack.clock.settle();
      hello(scene);
      finish(scene);
    },
    ...({ code: 'ABORTED', basis: 'exact', budget: exact } as const),
    wallet: { keyed: exact, plain: 0n },
  },
  {
    what: 'a caller that left before anything was delivered, and no answer in time',
    play: async (scene) => {
      scene.caller.leave();
      await advance(scene, 6_000);
    },
    ...({ code: 'ABORTED', basis: 'estimated', budget: 'hold', wallet: 0n } as const),
  },
  {
    what: 'a caller that left after something was delivered, and counts',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.leave();
      finish(scene);
    },
    ...({ code: 'ABORTED', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a caller that left, and counts above all that was asked for',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.leave();
      scene.attempt.finish({ usage: counts(24, 1_000) });
    },
    ...({ code: 'ABORTED', basis: 'estimated', wallet: asDelivered } as const),
    budget: 24n * rates.input + 1_000n * rates.output,
  },
  {
    what: 'a caller that left after more than was asked for, and no counts',
    play: async (scene) => {
      scene.attempt.text('word '.repeat(1_000));
      await scene.streams.stack.clock.settle();
      scene.caller.leave();
      scene.attempt.finish();
    },
    ...({ code: 'ABORTED', basis: 'estimated', budget: 'hold' } as const),
    wallet: 5n * rates.input + 100n * rates.output,
  },
  {
    what: 'a caller that read nothing for too long after something was delivered, and counts',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.leave('stalled');
      finish(scene);
    },
    ...({ code: 'ABORTED', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a caller that left after something was delivered, and no counts',
    play: async ({ attempt, caller, streams }) => {
      attempt.text('Hello ');
      await streams.stack.clock.settle();
      caller.leave();
      attempt.text('world');
      attempt.finish();
    },
    ...({ code: 'ABORTED', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a caller that left after something was delivered, and no end in time',
    play: async (scene) => {
      scene.attempt.state(24, 1);
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.leave();
      await advance(scene, 6_000);
    },
    ...({ code: 'ABORTED', basis: 'estimated', budget: 'hold' } as const),
    wallet: { keyed: 0n, plain: asDelivered },
  },
  {
    what: 'a stream that ran for too long, and counts',
    play: async (scene) => {
      hello(scene);
      await talkFor(scene, 30_000);
      finish(scene);
    },
    ...({ code: 'TIMEOUT', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a stream that ran for too long, and no counts',
    play: async (scene) => {
      hello(scene);
      await talkFor(scene, 36_000);
    },
    ...({ code: 'TIMEOUT', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a stream that showed nothing and ran for too long, and counts',
    play: async (scene) => {
      scene.attempt.delta({ type: 'reasoning', text: 'Hm' });
      await talkFor(scene, 30_000);
      finish(scene);
    },
    ...({ code: 'TIMEOUT', basis: 'exact', budget: exact } as const),
    wallet: { keyed: exact, plain: 0n },
  },
];
