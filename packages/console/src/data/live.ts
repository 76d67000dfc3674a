/** Whether the service tells of changes as they come. */
export function isLive(): boolean {
  return live;
}

let live = false;
/** After the browser has given up, which it does for every answer but a success. */
const retryMs = 10_000;

/** Listens for changes until it is stopped; `onState` is told when that begins and breaks off. */
export function listen(parts: {
  readonly onChange: (topic: string) => void;
  readonly onState: (isLive: boolean) => void;
}): () => void {
  const { onChange, onState } = parts;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (state: boolean) => {
    live = state;
    onState(state);
  };
  const open = () => {
    const events = new EventSource('/admin/v1/events');
    source = events;
    events.onopen = () => say(true);
    events.addEventListener('changed', ({ data }) => {
      const topic = topicIn(data);
      if (topic !== undefined) onChange(topic);
    });
    events.onerror = () => {
      say(false);
      if (events.readyState === EventSource.CLOSED) timer = setTimeout(open, retryMs);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
    say(false);
  };
}

function topicIn(data: unknown): string | undefined {
  try {
    const { topic } = Object(JSON.parse(String(data)));
    return typeof topic === 'string' ? topic : undefined;
  } catch {
    // Something between rewrote the event: the next one tells the same, or a poll finds it.
    return undefined;
  }
}
