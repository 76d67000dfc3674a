/** One event of a stream, as it is sent. */
export interface WireEvent {
  readonly id: number;
  readonly name: string;
  readonly data: unknown;
  /** The JSON of `data`, byte for byte. */
  readonly text: string;
}

/** The content of a stream: events in order, and the number of comments between them. */
export interface Wire {
  readonly events: readonly WireEvent[];
  readonly comments: () => number;
  /** Reads the next bytes. Throws unless they are exactly as specified. */
  push(bytes: Uint8Array): void;
  /** Must be called at the end of the body: nothing may be left over. */
  end(): void;
}

/**
 * Reads a stream strictly. Each event is the lines `id: N`, `event: NAME`, `data: JSON` and an
 * empty one. A comment is a line that begins with a colon, and an empty one.
 */
export function createWire(): Wire {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const events: WireEvent[] = [];
  let comments = 0;
  let rest = '';
  return {
    events,
    comments: () => comments,
    push(bytes) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    },
    end() {
      rest += decoder.decode();
      if (rest !== '') throw new Error(`the stream ends within ${JSON.stringify(rest)}`);
    },
  };

  function take(block: string) {
    if (/^:[^\n]*$/.test(block)) {
      comments += 1;
      return;
    }
    const [, id, name = '', text = ''] =
      /^id: ([1-9]\d*)\nevent: (\w+)\ndata: ([^\n\r]*)$/.exec(block) ?? [];
    if (id === undefined) throw new Error(`no event of ours: ${JSON.stringify(block)}`);
    const data: unknown = JSON.parse(text);
    if (JSON.stringify(data) !== text) throw new Error(`JSON with gaps: ${text}`);
    const event = { id: Number(id), name, data, text };
    if (event.id <= (events.at(-1)?.id ?? 0)) throw new Error(`id ${id} comes again`);
    events.push(event);
  }
}

/** The field of a value, or of a value within it; undefined where there is none. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? Object(found)[name] : undefined,
    value,
  );
}

/** The text of all events of a name together. */
export function textOf(events: readonly WireEvent[], name = 'text'): string {
  return events
    .filter((event) => event.name === name)
    .map(({ data }) => String(field(data, 'text')))
    .join('');
}
