import { fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ToolInput } from '../port.ts';

interface ToolCall {
  readonly index: number;
  isTold: boolean;
  id: string;
  name: string;
  arguments: string;
}

/** Tool calls that come in pieces, in the order of their first ones. */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  readonly #byIndex = new Map<unknown, ToolCall>();
  readonly #turn: number;
  readonly #tell: (piece: ToolInput) => void;

  /** Calls without an id get one of their turn, of which it is the number. */
  constructor(turn: number, tell: (piece: ToolInput) => void) {
    this.#turn = turn;
    this.#tell = tell;
  }

  /** Adds a chunk's pieces, and tells of them; false where one is of another shape. */
  add(pieces: unknown): boolean {
    if (!Array.isArray(pieces)) return false;
    return pieces.every((piece) => isRecord(piece) && this.#addPiece(piece));
  }

  /** As a message has them. */
  list(): readonly object[] {
    return this.#calls.map(({ id, name, arguments: input }) => ({
      id,
      type: 'function',
      function: { name, arguments: input },
    }));
  }

  #addPiece(piece: Readonly<Record<string, unknown>>): boolean {
    const [id, called] = [piece.id ?? '', piece.function ?? {}];
    const [name, input] = [fieldOf(called, 'name') ?? '', fieldOf(called, 'arguments') ?? ''];
    if (typeof id !== 'string' || typeof name !== 'string') return false;
    if (typeof input !== 'string' || !isRecord(called)) return false;
    const call = this.#callOf(piece.index, id);
    if (call.id === '') call.id = id;
    const isNamed = call.name === '' && name !== '';
    if (isNamed) call.name = name;
    call.arguments += input;
    const { index, isTold } = call;
    this.#tell({
      ...{ type: 'tool-input', index, text: input },
      ...(isTold ? {} : { toolCallId: call.id || callIdOf(this.#turn, index) }),
      ...(isNamed ? { toolName: name } : {}),
    });
    call.isTold = true;
    return true;
  }

  /** Some servers number no call, and some all of them alike: another id is another call. */
  #callOf(index: unknown, id: string): ToolCall {
    const known =
      index === undefined || index === null ? this.#calls.at(-1) : this.#byIndex.get(index);
    if (known !== undefined && (id === '' || known.id === '' || id === known.id)) return known;
    const call = { index: this.#calls.length, isTold: false, id, name: '', arguments: '' };
    this.#calls.push(call);
    this.#byIndex.set(index, call);
    return call;
  }
}

/** The id of a call that has none of its own, in its conversation. */
export function callIdOf(turn: number, index: number): string {
  return `call_${turn}_${index}`;
}
