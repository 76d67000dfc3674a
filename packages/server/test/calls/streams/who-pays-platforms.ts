import {
  advance,
  asDelivered,
  exact,
  finish,
  hello,
  type Row,
  rates,
  reportedInput,
} from './who-pays-scene.ts';

const tool = { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: '{}' } as const;

/** Streams with a fault of the platform or of the service. */
export const platformRows: readonly Row[] = [
  {
    what: 'a bad output after something was delivered',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.attempt.delta(tool);
      finish(scene);
    },
    ...({ code: 'BAD_OUTPUT', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a bad output before anything was delivered',
    play: (scene) => {
      scene.attempt.delta(tool);
      finish(scene);
    },
    ...({ code: 'BAD_OUTPUT', basis: 'exact', budget: exact, wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off after a pause of ours',
    play: async (scene) => {
      scene.attempt.state(24, 1);
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      scene.caller.following.release();
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a platform that broke off, and had said something a second after a pause of ours',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      scene.caller.following.release();
      await scene.streams.stack.clock.advance(1_000);
      scene.attempt.state(24, 1);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: reportedInput, wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off, and whose last words may be of before a pause of ours',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      scene.caller.following.release();
      await scene.streams.stack.clock.advance(999);
      scene.attempt.state(24, 1);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a platform that broke off, and whose last words were read after a pause of ours',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      scene.caller.following.release();
      scene.attempt.state(24, 1);
      scene.attempt.breakOff(true);
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a platform that broke off, and had stated its input',
    play: (scene) => {
      scene.attempt.state(24, 1);
      hello(scene);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: reportedInput, wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off, and had stated nothing',
    play: (scene) => {
      hello(scene);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off, and had stated an input of nothing',
    play: (scene) => {
      scene.attempt.state(0, 0);
      hello(scene);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off, and had stated more than there was',
    play: (scene) => {
      scene.attempt.state(5_000);
      hello(scene);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', wallet: 0n } as const),
    budget: 5_000n * rates.input,
  },
  {
    what: 'a platform that said nothing for too long',
    play: async (scene) => {
      scene.attempt.state(24, 1);
      hello(scene);
      await advance(scene, 12_000);
    },
    ...({ code: 'TIMEOUT', basis: 'estimated', budget: reportedInput, wallet: 0n } as const),
  },
  {
    what: 'a platform that said nothing for too long after a pause of ours',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      await advance(scene, 9_000);
      scene.caller.following.release();
      await advance(scene, 12_000);
    },
    ...({ code: 'TIMEOUT', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a clean end without counts',
    play: ({ attempt }) => {
      attempt.text('Hello ');
      attempt.text('world');
      attempt.finish();
    },
    ...({ code: 'OK', basis: 'estimated', budget: 'hold' } as const),
    wallet: 5n * rates.input + 4n * rates.output,
  },
  {
    what: 'a service that stopped',
    play: (scene) => {
      hello(scene);
      scene.streams.runner.streams.stopAll();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: 0n } as const),
  },
  {
    what: 'a first delta that did not come in time, and an answer',
    play: async (scene) => {
      await advance(scene, 8_000);
      hello(scene);
      finish(scene);
    },
    ...({ code: 'TIMEOUT', basis: 'exact', budget: exact } as const),
    wallet: { keyed: exact, plain: 0n },
  },
];
