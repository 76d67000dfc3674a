import { largeBytes, type RequestWork } from '../../../lib/work.ts';
import type { Flow } from '../../http/flow.ts';
import type { ByteReader, Reading } from '../../http/transport.ts';

/** Bytes per turn; the flow is held back until then. */
const turnBytes = 65_536;

/** Reads in the app's turns, because many long answers may come at once. */
export class TurnedReader implements ByteReader {
  readonly #reader: ByteReader;
  readonly #flow: Flow;
  readonly #work: RequestWork;
  #bytes = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #turn: Promise<void> | undefined;
  #last: Reading;

  constructor(reader: ByteReader, flow: Flow, work: RequestWork) {
    this.#reader = reader;
    this.#flow = flow;
    this.#work = work;
  }

  read(chunk: Buffer): Reading {
    if (this.#last !== undefined) return this.#last;
    this.#bytes += chunk.length;
    if (this.#bytes <= largeBytes) return this.#reader.read(chunk);
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= turnBytes) this.#flow.pause();
    this.#turn ??= this.#readHeld();
    return undefined;
  }

  async last(): Promise<Reading> {
    await this.#turn;
    return this.#last;
  }

  async #readHeld() {
    await this.#work.turn();
    const startedMs = this.#work.nowMs();
    for (const chunk of this.#held) this.#last ??= this.#reader.read(chunk);
    this.#held = [];
    this.#heldBytes = 0;
    this.#turn = undefined;
    this.#work.note('response', startedMs);
    this.#flow.resume();
  }
}
