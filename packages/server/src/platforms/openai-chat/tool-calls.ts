import { fieldOf, isRecord } from '../json.ts';

interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** Tool calls that come in pieces, in the order of their first ones. */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  readonly #byIndex = new Map<unknown, ToolCall>();

  /** Adds a chunk's pieces, and hands on their texts; false where one is of another shape. */
  add(pieces: unknown, onText: (text: string) => void): boolean {
    if (!Array.isArray(pieces)) return false;
    return pieces.every((piece) => isRecord(piece) && this.#addPiece(piece, onText));
  }

  /** As a message has them. */
  list(): readonly object[] {
    return this.#calls.map(({ id, name, arguments: input }) => ({
      id,
      type: 'function',
      function: { name, arguments: input },
    }));
  }

  #addPiece(piece: Readonly<Record<string, unknown>>, onText: (text: string) => void): boolean {
    const [id, called] = [piece.id ?? '', piece.function ?? {}];
    const [name, input] = [fieldOf(called, 'name') ?? '', fieldOf(called, 'arguments') ?? ''];
    if (typeof id !== 'string' || typeof name !== 'string') return false;
    if (typeof input !== 'string' || !isRecord(called)) return false;
    const call = this.#callOf(piece.index, id);
    if (call.id === '') call.id = id;
    if (call.name === '') call.name = name;
    call.arguments += input;
    onText(input);
    return true;
  }

  /** Some servers number no call, and some all of them alike: another id is another call. */
  #callOf(index: unknown, id: string): ToolCall {
    const known =
      index === undefined || index === null ? this.#calls.at(-1) : this.#byIndex.get(index);
    if (known !== undefined && (id === '' || known.id === '' || id === known.id)) return known;
    const call = { id, name: '', arguments: '' };
    this.#calls.push(call);
    this.#byIndex.set(index, call);
    return call;
  }
}
