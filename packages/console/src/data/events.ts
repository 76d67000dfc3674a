import { openResponse } from './client.ts';

/**
 * An `EventSource` could not send the header that a session needs. Throws a RequestError where the
 * stream is rejected.
 */
export async function readEvents(parts: {
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
    // Something between rewrote the event: the next one tells the same, or a poll finds it.
    return undefined;
  }
}
