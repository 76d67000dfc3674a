import { GrowingText } from '../../lib/growing-text.ts';
import { fieldOf, isRecord, parseJson } from '../../lib/json-value.ts';
import { doubtAboutItem } from '../evidence/evidence.ts';
import { Statements } from '../evidence/statements.ts';
import type { ReportedUsage } from '../port.ts';
import type { EventJson, Fold, Step, Tell } from '../stream/fold.ts';
import { refusalOfShape } from '../transport.ts';
import { objectToolName } from './read-message.ts';
import { readUsage } from './read-usage.ts';

/** A block that comes in pieces. */
interface Block {
  /** Which of the tool calls it is; undefined for another block. */
  readonly call: number | undefined;
  readonly start: EventJson;
  /** Of text, or of the JSON of a tool's input. */
  readonly text: GrowingText;
}

/**
 * Puts the events of a message together, to the message that it would have been at once. Events
 * and blocks of kinds that were not asked for are passed over. Counts are those of the first event
 * with those of the last `message_delta`, which are sums; without such there are none.
 */
export class MessageFold implements Fold {
  readonly #isJson: boolean;
  readonly #tell: Tell;
  /** In the order in which they began. */
  readonly #blocks = new Map<unknown, Block>();
  #calls = 0;
  readonly #counts = new Statements((message) => readUsage(this.#withEarlier(message)));
  #usage: EventJson = {};
  #hasLastCounts = false;
  #stopReason: string | undefined;

  constructor(isJson: boolean, tell: Tell) {
    this.#isJson = isJson;
    this.#tell = tell;
  }

  read(event: EventJson, _name: string, text: string): Step {
    switch (event.type) {
      case 'message_start':
        return stepOf(isRecord(event.message) && this.#addCounts(event.message, text, 'message'));
      case 'content_block_start':
        return stepOf(this.#begin(event));
      case 'content_block_delta':
        return stepOf(this.#add(event));
      case 'message_delta':
        return stepOf(this.#readEnd(event, text));
      case 'message_stop':
        return 'end';
      case 'error':
        return { failed: event, isLastEvent: false };
      default:
        return stepOf(typeof event.type === 'string');
    }
  }

  isDelta({ type }: EventJson): boolean {
    return type === 'content_block_delta';
  }

  isFinished(): boolean {
    return this.#stopReason !== undefined;
  }

  answer(): EventJson {
    const content = [...this.#blocks.values()].map(wholeBlock);
    return { content, stop_reason: this.#stopReason };
  }

  final(): ReportedUsage {
    if (!this.#hasLastCounts) this.#counts.outdate();
    return this.#counts.final();
  }

  stated(): ReportedUsage | undefined {
    return this.#counts.stated();
  }

  /** False, as from the readers below, for what is not what its kind says. */
  #begin({ index, content_block: start }: EventJson): boolean {
    if (!isRecord(start) || typeof start.type !== 'string') return false;
    this.#counts.doubt(doubtAboutItem(start, 'content'));
    const block = { start, call: this.#callOf(start), text: new GrowingText() };
    this.#blocks.set(index, block);
    this.#tellCall(block);
    return start.type !== 'text' || this.#append(block, start.text ?? '');
  }

  /** The tool that takes an object is none: its input is the text. */
  #callOf({ type, name }: EventJson): number | undefined {
    if (type !== 'tool_use' || (this.#isJson && name === objectToolName)) return undefined;
    this.#calls += 1;
    return this.#calls - 1;
  }

  #tellCall({ call: index, start }: Block) {
    if (index === undefined) return;
    const [toolCallId, toolName] = [textOf(start.id), textOf(start.name)];
    this.#tell({ type: 'tool-input', index, toolCallId, toolName, text: '' });
  }

  #add({ index, delta }: EventJson): boolean {
    const block = this.#blocks.get(index);
    if (block === undefined || !isRecord(delta)) return false;
    switch (delta.type) {
      case 'text_delta':
        return this.#append(block, delta.text);
      case 'input_json_delta':
        return this.#append(block, delta.partial_json);
      case 'thinking_delta':
        if (typeof delta.thinking !== 'string') return false;
        this.#tell({ type: 'reasoning', text: delta.thinking });
        return true;
      default:
        return typeof delta.type === 'string';
    }
  }

  #append(block: Block, text: unknown): boolean {
    if (typeof text !== 'string') return false;
    const { type } = block.start;
    if (type !== 'text' && type !== 'tool_use') return true;
    block.text.add(text);
    if (text === '') return true;
    const { call: index } = block;
    this.#tell(index === undefined ? { type: 'text', text } : { type: 'tool-input', index, text });
    return true;
  }

  #readEnd(event: EventJson, text: string): boolean {
    const { delta, usage } = event;
    const reason = isRecord(delta) ? delta.stop_reason : undefined;
    if (typeof reason === 'string') this.#stopReason = reason;
    const { outputTokens } = readUsage({ usage });
    this.#hasLastCounts ||= outputTokens !== undefined;
    return usage === undefined || this.#addCounts(event, text);
  }

  #addCounts(message: EventJson, text: string, holder?: string): true {
    this.#counts.add(message, text, holder);
    this.#usage = this.#withEarlier(message).usage;
    return true;
  }

  /** What a later event does not state, an earlier one has. */
  #withEarlier(message: unknown): { readonly usage: EventJson } {
    const usage = fieldOf(message, 'usage');
    if (!isRecord(usage)) return { usage: this.#usage };
    const stated = Object.entries(usage).filter(([, value]) => value !== null);
    return { usage: { ...this.#usage, ...Object.fromEntries(stated) } };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function stepOf(isFine: boolean): Step {
  return isFine ? 'more' : 'odd';
}

/** A tool's input is a value on this wire; text that is no JSON stays what it is. */
function wholeBlock({ start, text: said }: Block): EventJson {
  const text = said.whole();
  if (start.type === 'text') return { ...start, text };
  if (start.type !== 'tool_use' || text === '') return start;
  const isTaken = refusalOfShape(Buffer.from(text)) === undefined;
  const parsed = isTaken ? parseJson(text) : undefined;
  return { ...start, input: parsed === undefined ? text : parsed.value };
}
