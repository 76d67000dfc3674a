/** One event of an event stream. */
export interface SseEvent {
  /** `message` where the stream names none. */
  readonly name: string;
  readonly data: string;
}

/** Reads an event stream as it comes, in pieces of any size. Source: WHATWG HTML, section 9.2. */
export interface SseParser {
  /** The events that are complete with this piece. */
  push(piece: string): readonly SseEvent[];
}

/** A parser at the beginning of a stream. What stands in no known field is passed over. */
export function createSseParser(): SseParser {
  let line = '';
  let endsWithCr = false;
  let name = '';
  let data: string[] = [];

  function push(piece: string): readonly SseEvent[] {
    const events: SseEvent[] = [];
    // A CRLF may come in two pieces.
    let start = endsWithCr && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') endsWithCr = piece.endsWith('\r');
    const ends = /\r\n|[\r\n]/g;
    ends.lastIndex = start;
    for (let end = ends.exec(piece); end !== null; end = ends.exec(piece)) {
      const event = takeLine(line + piece.slice(start, end.index));
      if (event !== undefined) events.push(event);
      line = '';
      start = ends.lastIndex;
    }
    line += piece.slice(start);
    return events;
  }

  function takeLine(whole: string): SseEvent | undefined {
    if (whole === '') return takeEvent();
    const colon = whole.indexOf(':');
    const field = colon === -1 ? whole : whole.slice(0, colon);
    const value = colon === -1 ? '' : whole.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
    return undefined;
  }

  function takeEvent(): SseEvent | undefined {
    const event = { name: name || 'message', data: data.join('\n') };
    const isEmpty = data.length === 0;
    name = '';
    data = [];
    return isEmpty ? undefined : event;
  }

  return { push };
}
