/** A message of the PostgreSQL protocol, with its bytes. */
export interface Message {
  /** One letter; `start` for a client's first message, which has none. */
  readonly type: string;
  readonly body: Buffer;
  readonly bytes: Buffer;
}

/** Cuts one side's bytes into messages. Source: PostgreSQL manual, section 54.7. */
export function createMessageReader(side: 'client' | 'server') {
  let rest = Buffer.alloc(0);
  let isStarted = side === 'server';
  return (chunk: Buffer): readonly Message[] => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) return messages;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return messages;
      const type = isStarted ? String.fromCharCode(rest[0] ?? 0) : 'start';
      messages.push({ type, body: rest.subarray(head + 4, end), bytes: rest.subarray(0, end) });
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}

/**
 * Returns the SQL that a client's message runs, as a simple query or as a prepared statement; empty
 * for other messages.
 */
export function createSqlReader() {
  const prepared = new Map<string, string>();
  return ({ type, body }: Message): string => {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (type === 'Q') return first;
    if (type === 'P') prepared.set(first, second);
    return type === 'B' ? (prepared.get(second) ?? '') : '';
  };
}
