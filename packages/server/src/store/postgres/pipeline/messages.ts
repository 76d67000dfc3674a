const bytesMin = 65_536;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const bytesOfUnitMax = 3;
/** Longer texts are measured before space is allocated. */
const countedFrom = 10_000;

/** Writes into one reused buffer. Source: PostgreSQL manual, section 54.7. */
export class Messages {
  #buffer = Buffer.allocUnsafe(bytesMin);
  #end = 0;

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

  describe(name: string) {
    const start = this.#begin('D');
    this.#text(`S${name}`);
    this.#finish(start);
  }

  run(name: string, values: readonly string[]) {
    this.#bind(name, values);
    const start = this.#begin('E');
    this.#text('');
    this.#int32(0);
    this.#finish(start);
  }

  /** The server then reports the end, or the failed statement. */
  sync() {
    this.#finish(this.#begin('S'));
  }

  take(): Buffer {
    const written = this.#buffer.subarray(0, this.#end);
    this.#end = 0;
    if (this.#buffer.length === bytesMin) return Buffer.from(written);
    // The caller keeps a large buffer; the next pieces use a small one.
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

  #begin(letter: string): number {
    this.#room(5);
    this.#buffer[this.#end] = letter.charCodeAt(0);
    const start = this.#end + 1;
    this.#end += 5;
    return start;
  }

  /** The length excludes the letter. */
  #finish(start: number) {
    this.#buffer.writeInt32BE(this.#end - start, start);
  }

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
