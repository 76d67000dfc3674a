const piecesMax = 64;

/**
 * Many small pieces take several times the text's size, even when concatenated one by one, so this
 * joins them.
 */
export class GrowingText {
  #joined = '';
  #pieces: string[] = [];

  add(piece: string) {
    this.#pieces.push(piece);
    if (this.#pieces.length >= piecesMax) this.#join();
  }

  whole(): string {
    if (this.#pieces.length > 0) this.#join();
    return this.#joined;
  }

  #join() {
    this.#joined += this.#pieces.join('');
    this.#pieces = [];
  }
}
