/** Holds back a platform that writes faster than its follower reads. Either may be called twice. */
export interface Flow {
  /** What has been read already is told nevertheless; the platform itself may be far ahead. */
  pause(): void;
  resume(): void;
}

/** A flow for a reader that asks for what comes next, in the place of being told. */
export interface AskedFlow extends Flow {
  /** Resolves at once, unless it is held back: then once it goes on. */
  opened(): Promise<void>;
}

/** A flow that is not held back. */
export function createAskedFlow(): AskedFlow {
  let held: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  return {
    pause() {
      if (held !== undefined) return;
      const { promise: opened, resolve: open } = Promise.withResolvers<void>();
      held = { opened, open };
    },
    resume() {
      held?.open();
      held = undefined;
    },
    async opened() {
      while (held !== undefined) await held.opened;
    },
  };
}
