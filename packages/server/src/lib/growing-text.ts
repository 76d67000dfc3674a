/** Pieces that wait to be joined. */
const piecesMax = 64;

/**
 * A text that comes in very many small pieces, which take several times its size for as long as
 * they are apart, also where a string was made of them by adding them one by one.
 */
export class GrowingText {
  #joined = '';
  #pieces: string[] = [];

  add(piece: string) {
    this.#pieces.push(piece);
    if (this.#pieces.length >= piecesMax) this.#join();
  }

  /** All of it. */
  whole(): string {
    if (this.#pieces.length > 0) this.#join();
    return this.#joined;
  }

  #join() {
    this.#joined += this.#pieces.join('');
    this.#pieces = [];
  }
}
