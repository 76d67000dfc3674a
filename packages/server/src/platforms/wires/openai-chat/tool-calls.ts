import type { CarriedFields } from '../../../domain/carry.ts';
import type { ToolInput } from '../../model/content.ts';
import { CallIds } from '../../model/written-calls.ts';
import { ownFieldsOf } from './own-fields.ts';
import { writtenIn } from './read-message.ts';

interface ToolCall {
  readonly index: number;
  /** The relayed id; `givenId` is the platform's. */
  readonly id: string;
  givenId: string;
  name: string;
  arguments: string;
  own: CarriedFields | undefined;
  nesting?: Nesting;
}

type Piece = Readonly<Record<string, unknown>>;

type WrittenPiece = ReturnType<typeof writtenIn>;

/**
 * In order of first pieces. Platforms omit, repeat and change indexes and ids within a call, so a
 * name begins a call.
 */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  readonly #byIndex = new Map<unknown, ToolCall>();
  readonly #byId = new Map<string, ToolCall>();
  readonly #ids: CallIds;
  readonly #emit: (piece: ToolInput) => void;

  constructor(turn: number, emit: (piece: ToolInput) => void) {
    this.#ids = new CallIds(turn);
    this.#emit = emit;
  }

  add(piece: Piece) {
    // Pieces without an index belong to the same call until another begins.
    const { index = null } = piece;
    const written = writtenIn(piece);
    const known = this.#find(index, written);
    if (known === undefined && written.id + written.name + written.input === '') return;
    const own = ownFieldsOf(piece);
    if (known === undefined || this.#isNext(known, index, written))
      this.#begin(index, written, own);
    else this.#continue(known, index, written, own);
  }

  list(): readonly object[] {
    return this.#calls.map(({ id, name, arguments: input, own }) => ({
      ...own,
      id,
      type: 'function',
      function: { name, arguments: input },
    }));
  }

  /** Matched by index, unless its id is another call's. */
  #find(index: unknown, { id, name }: WrittenPiece): ToolCall | undefined {
    const last = this.#calls.at(-1);
    const numbered = this.#byIndex.get(index);
    const same = id === numbered?.givenId ? numbered : this.#byId.get(id);
    const isNumbered = index !== null;
    // Without a name, a call begins only if both its index and its id are new.
    const isNew = name !== '' || (isNumbered && id !== '');
    return same ?? numbered ?? (isNew ? undefined : last);
  }

  #isNext(call: ToolCall, index: unknown, { id, name, input }: WrittenPiece): boolean {
    if (name === '' || call.name === '') return false;
    if (name !== call.name) return true;
    const isOtherId = id !== '' && call.givenId !== '' && id !== call.givenId;
    call.nesting ??= new Nesting(call.arguments);
    // Some platforms repeat the name with each piece: begun arguments continue.
    if (call.nesting.isOpen) {
      const isObject = input.startsWith('{') && !call.nesting.mayHoldMore;
      return isOtherId && (input === '' || isObject);
    }
    if (isOtherId || !this.#byIndex.has(index)) return true;
    const isAgain = id !== '' && id === call.givenId && input === call.arguments;
    return call.nesting.isWhole && input !== '' && !isAgain;
  }

  #begin(index: unknown, { id: givenId, name, input }: WrittenPiece, own?: CarriedFields) {
    const id = this.#ids.next(givenId);
    const call: ToolCall = { index: this.#calls.length, id, givenId, name, arguments: input, own };
    this.#calls.push(call);
    // Later pieces without an index belong to this call.
    this.#byIndex.delete(null);
    this.#byIndex.set(index, call);
    if (givenId !== '') this.#byId.set(givenId, call);
    const named = { ...(name !== '' && { toolName: name }), ...(own && { own }) };
    this.#emit({ type: 'tool-input', index: call.index, text: input, toolCallId: id, ...named });
  }

  #continue(
    call: ToolCall,
    index: unknown,
    { id, name, input }: WrittenPiece,
    own?: CarriedFields,
  ) {
    this.#byIndex.set(index, call);
    if (own !== undefined) call.own = { ...call.own, ...own };
    if (call.givenId === '' && id !== '') {
      call.givenId = id;
      this.#byId.set(id, call);
    }
    // Some platforms repeat the whole call at its end.
    const isAgain = call.nesting?.isWhole === true && name !== '' && input === call.arguments;
    if (isAgain && own === undefined) return;
    const isNamed = call.name === '' && name !== '';
    if (isNamed) call.name = name;
    const more = isAgain ? '' : input;
    call.arguments += more;
    call.nesting?.read(more);
    const named = { ...(isNamed && { toolName: name }), ...(own && { own }) };
    this.#emit({ type: 'tool-input', index: call.index, text: more, ...named });
  }
}

class Nesting {
  #depth = 0;
  #hasBegun = false;
  #isText = false;
  #isEscaped = false;
  #last = '';

  constructor(begun: string) {
    this.read(begun);
  }

  get isOpen(): boolean {
    return this.#hasBegun && !this.isWhole;
  }

  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  get mayHoldMore(): boolean {
    return this.#isText || [':', ',', '['].includes(this.#last);
  }

  read(text: string) {
    for (const character of text) {
      if (character.trim() !== '') this.#last = character;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isText && character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isText = !this.#isText;
      else if (!this.#isText) this.#readBracket(character);
    }
  }

  #readBracket(character: string) {
    if (character === '{' || character === '[') {
      this.#depth += 1;
      this.#hasBegun = true;
    } else if (character === '}' || character === ']') this.#depth -= 1;
  }
}
