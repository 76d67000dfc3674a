export interface Flow {
  /** Bytes already read still arrive: the platform may be far ahead. */
  pause(): void;
  resume(): void;
}

export interface AwaitableFlow extends Flow {
  opened(): Promise<void>;
}

export function createAwaitableFlow(): AwaitableFlow {
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
