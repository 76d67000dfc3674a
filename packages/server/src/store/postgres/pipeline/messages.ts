/** Messages of a client to the server, one behind the other in one piece. */
export interface Messages {
  /** Forgets a prepared statement; it need not be there. */
  close(name: string): void;
  parse(name: string, statement: string): void;
  /** Asks what columns the rows of a statement have. */
  describe(name: string): void;
  /** Runs a statement with these texts of its parameters. */
  run(name: string, values: readonly string[]): void;
  /** Ends the piece: the server says when it is through, or which statement failed. */
  sync(): void;
  /** What was written since the last time. */
  take(): Buffer;
}

/** Enough for nearly every piece. */
const bytesMin = 65_536;
/** A unit of a JavaScript text never takes more bytes in UTF-8. */
const bytesOfUnitMax = 3;
/** The bytes of a text longer than this are counted before room is made for them. */
const countedFrom = 10_000;

/**
 * Writes messages of the protocol into one buffer, which is used again and again. Source:
 * PostgreSQL manual, section 54.7.
 */
export function createMessages(): Messages {
  let buffer = Buffer.allocUnsafe(bytesMin);
  let end = 0;
  return {
    close: (name) => message('C', () => texts(`S${name}`)),
    parse: (name, statement) =>
      message('P', () => {
        texts(name, statement);
        int16(0);
      }),
    describe: (name) => message('D', () => texts(`S${name}`)),
    run(name, values) {
      message('B', () => bind(name, values));
      message('E', () => {
        texts('');
        int32(0);
      });
    },
    sync: () => message('S', () => {}),
    take() {
      const written = buffer.subarray(0, end);
      end = 0;
      if (buffer.length === bytesMin) return Buffer.from(written);
      // After a large piece the room is given away with it.
      buffer = Buffer.allocUnsafe(bytesMin);
      return written;
    },
  };

  /** A letter, then the length of all but the letter. */
  function message(letter: string, writeBody: () => void) {
    room(5);
    buffer[end] = letter.charCodeAt(0);
    const start = end + 1;
    end += 5;
    writeBody();
    buffer.writeInt32BE(end - start, start);
  }

  function bind(name: string, values: readonly string[]) {
    texts('', name);
    int16(0);
    int16(values.length);
    for (const value of values) {
      int32(0);
      const start = end;
      text(value);
      buffer.writeInt32BE(end - start, start - 4);
    }
    int16(0);
  }

  function texts(...values: readonly string[]) {
    for (const value of values) {
      text(value);
      room(1);
      buffer[end++] = 0;
    }
  }

  function text(value: string) {
    const isLong = value.length > countedFrom;
    room(isLong ? Buffer.byteLength(value) : value.length * bytesOfUnitMax);
    end += buffer.write(value, end);
  }

  function int16(value: number) {
    room(2);
    end = buffer.writeInt16BE(value, end);
  }

  function int32(value: number) {
    room(4);
    end = buffer.writeInt32BE(value, end);
  }

  function room(bytes: number) {
    if (end + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + bytes));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }
}
