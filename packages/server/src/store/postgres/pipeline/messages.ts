/** Enough for nearly every piece. */
const bytesMin = 65_536;
/** A unit of a JavaScript text never takes more bytes in UTF-8. */
const bytesOfUnitMax = 3;
/** The bytes of a text longer than this are counted before room is made for them. */
const countedFrom = 10_000;

/**
 * Messages of a client to the server, one behind the other in one piece, in a buffer that is used
 * again and again. Source: PostgreSQL manual, section 54.7.
 */
export class Messages {
  #buffer = Buffer.allocUnsafe(bytesMin);
  #end = 0;

  /** Forgets a prepared statement; it need not be there. */
  close(name: string) {
    const start = this.#begin('C');
    this.#text(`S${name}`);
    this.#finish(start);
  }

  parse(name: string, statement: string) {
    const start = this.#begin('P');
    this.#text(name);
    this.#text(statement);
    this.#int16(0);
    this.#finish(start);
  }

  /** Asks what columns the rows of a statement have. */
  describe(name: string) {
    const start = this.#begin('D');
    this.#text(`S${name}`);
    this.#finish(start);
  }

  /** Runs a statement with these texts of its parameters. */
  run(name: string, values: readonly string[]) {
    this.#bind(name, values);
    const start = this.#begin('E');
    this.#text('');
    this.#int32(0);
    this.#finish(start);
  }

  /** Ends the piece: the server says when it is through, or which statement failed. */
  sync() {
    this.#finish(this.#begin('S'));
  }

  /** What was written since the last time. */
  take(): Buffer {
    const written = this.#buffer.subarray(0, this.#end);
    this.#end = 0;
    if (this.#buffer.length === bytesMin) return Buffer.from(written);
    // After a large piece the room is given away with it.
    this.#buffer = Buffer.allocUnsafe(bytesMin);
    return written;
  }

  #bind(name: string, values: readonly string[]) {
    const start = this.#begin('B');
    this.#text('');
    this.#text(name);
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) {
      this.#int32(0);
      const valueStart = this.#end;
      this.#characters(value);
      this.#buffer.writeInt32BE(this.#end - valueStart, valueStart - 4);
    }
    this.#int16(0);
    this.#finish(start);
  }

  /** Begins a message with its letter; its length follows when it is known. */
  #begin(letter: string): number {
    this.#room(5);
    this.#buffer[this.#end] = letter.charCodeAt(0);
    const start = this.#end + 1;
    this.#end += 5;
    return start;
  }

  /** Writes the length of all but the letter. */
  #finish(start: number) {
    this.#buffer.writeInt32BE(this.#end - start, start);
  }

  /** A text, and the zero that ends it. */
  #text(value: string) {
    this.#characters(value);
    this.#room(1);
    this.#buffer[this.#end++] = 0;
  }

  #characters(value: string) {
    const isLong = value.length > countedFrom;
    this.#room(isLong ? Buffer.byteLength(value) : value.length * bytesOfUnitMax);
    this.#end += this.#buffer.write(value, this.#end);
  }

  #int16(value: number) {
    this.#room(2);
    this.#end = this.#buffer.writeInt16BE(value, this.#end);
  }

  #int32(value: number) {
    this.#room(4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
  }

  #room(bytes: number) {
    if (this.#end + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#end + bytes));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}
