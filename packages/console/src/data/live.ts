import { readEvents } from './events.ts';

export function isLive(): boolean {
  return live;
}

let live = false;
const retryMs = 10_000;

/** `onState` hears when listening begins and breaks off. */
export function listen(parts: {
  readonly onChange: (topic: string) => void;
  readonly onState: (isLive: boolean) => void;
}): () => void {
  const { onChange, onState } = parts;
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (state: boolean) => {
    live = state;
    onState(state);
  };
  const open = async () => {
    // Why it ended is shown by what is read next: pages poll until a stream is open again.
    await readEvents({ signal, onChange, onOpen: () => say(true) }).catch(() => undefined);
    if (signal.aborted) return;
    say(false);
    timer = setTimeout(() => void open(), retryMs);
  };
  void open();
  return () => {
    stop.abort();
    clearTimeout(timer);
    say(false);
  };
}
