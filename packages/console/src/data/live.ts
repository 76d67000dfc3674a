import { openResponse } from './client.ts';

export function isLive(): boolean {
  return live;
}

let live = false;
const retryMs = 10_000;

/** `onState` is called when listening begins and breaks off. */
export function listen(parts: {
  readonly onChange: (topic: string) => void;
  readonly onState: (isLive: boolean) => void;
}): () => void {
  const { onChange, onState } = parts;
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const setLive = (state: boolean) => {
    live = state;
    onState(state);
  };
  const open = async () => {
    // The next read shows why it ended: pages poll until a stream is open again.
    await readEvents({ signal, onChange, onOpen: () => setLive(true) }).catch(() => undefined);
    if (signal.aborted) return;
    setLive(false);
    timer = setTimeout(() => void open(), retryMs);
  };
  void open();
  return () => {
    stop.abort();
    clearTimeout(timer);
    setLive(false);
  };
}

/**
 * An `EventSource` could not send the header that a session needs. Throws a RequestError where the
 * stream is rejected.
 */
async function readEvents(parts: {
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onChange: (topic: string) => void;
}): Promise<void> {
  const { signal, onOpen, onChange } = parts;
  const headers = { accept: 'text/event-stream' };
  const { body } = await openResponse('GET', '/events', { signal, headers });
  if (body === null) return;
  onOpen();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const topic = topicIn(event);
      if (topic !== undefined) onChange(topic);
    }
  }
}

function topicIn(event: string): string | undefined {
  const [, data] = /^data: (.*)$/m.exec(event) ?? [];
  if (data === undefined) return undefined;
  try {
    const { topic } = Object(JSON.parse(data));
    return typeof topic === 'string' ? topic : undefined;
  } catch {
    // A proxy rewrote the event: the next event or a poll repeats it.
    return undefined;
  }
}
