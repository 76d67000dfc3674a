/** Calls may repeat. */
export interface Flow {
  /** Bytes already read still arrive; the platform may be far ahead. */
  pause(): void;
  resume(): void;
}

/** For a reader that pulls. */
export interface AskedFlow extends Flow {
  /** Resolves at once, or when resumed. */
  opened(): Promise<void>;
}

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
