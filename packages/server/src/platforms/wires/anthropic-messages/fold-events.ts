import { GrowingText } from '../../../lib/growing-text.ts';
import { fieldOf, isRecord, parseJson } from '../../../lib/json-value.ts';
import { doubtsAboutItem, doubtsAboutTerms } from '../../evidence/evidence.ts';
import { readUsage } from '../../evidence/read-usage.ts';
import { Statements } from '../../evidence/statements.ts';
import { refusalOfShape } from '../../http/transport.ts';
import { withPosition } from '../../model/carry.ts';
import type { ReportedUsage } from '../../model/port.ts';
import { CallIds } from '../../model/written-calls.ts';
import type { EmitDelta, EventJson, Fold, Step } from '../codec/fold.ts';
import { isThinking, objectToolName } from './read-message.ts';

interface Block {
  readonly call: number | undefined;
  readonly start: EventJson;
  readonly text: GrowingText;
  signature: string;
}

/**
 * Rebuilds the message of an unstreamed call. Skips unknown and unreadable parts. Counts are the
 * first event's plus the sums of the last `message_delta`; without that event, there are none.
 */
export class MessageFold implements Fold {
  readonly #isJson: boolean;
  readonly #isRelayed: boolean;
  readonly #emit: EmitDelta;
  readonly #blocks: Block[] = [];
  /** The last block with this index: some servers omit or repeat indexes. */
  readonly #byIndex = new Map<unknown, Block>();
  readonly #ids: CallIds;
  #calls = 0;
  readonly #counts = new Statements((message) => readUsage(this.#withEarlier(message)));
  #usage: EventJson = {};
  #hasLastCounts = false;
  #stopReason: string | undefined;

  /** `turn`: the number of messages before. Relayed messages keep no thinking. */
  constructor(
    { isJson, isRelayed }: { readonly isJson: boolean; readonly isRelayed: boolean },
    turn: number,
    emit: EmitDelta,
  ) {
    this.#isJson = isJson;
    this.#isRelayed = isRelayed;
    this.#ids = new CallIds(turn);
    this.#emit = emit;
  }

  read(event: EventJson, _name: string, text: string): Step {
    switch (event.type) {
      case 'message_start':
        if (isRecord(event.message)) this.#takeCounts(event.message, text, 'message');
        return 'more';
      case 'content_block_start':
        this.#begin(event);
        return 'more';
      case 'content_block_delta':
        this.#add(event);
        return 'more';
      case 'content_block_stop':
        this.#emitThinking(event);
        return 'more';
      case 'message_delta':
        this.#readEnd(event, text);
        return 'more';
      case 'message_stop':
        return 'end';
      case 'error':
        return { failed: event, isLastEvent: false };
      default:
        return 'more';
    }
  }

  isDelta({ type }: EventJson): boolean {
    return type === 'content_block_delta';
  }

  isFinished(): boolean {
    return this.#stopReason !== undefined;
  }

  isAnswer(): boolean {
    return this.isFinished() || this.#blocks.length > 0 || this.reportedSoFar() !== undefined;
  }

  answer(): EventJson {
    const content = this.#blocks.map(wholeBlock);
    return { content, stop_reason: this.#stopReason };
  }

  final(): ReportedUsage {
    if (!this.#hasLastCounts) this.#counts.outdate();
    return this.#counts.final();
  }

  reportedSoFar(): ReportedUsage | undefined {
    return this.#counts.reportedSoFar();
  }

  #begin({ index, content_block: given }: EventJson) {
    if (!isRecord(given)) return;
    this.#counts.doubt(doubtsAboutItem(given, 'content'));
    const call = this.#callOf(given);
    const start = call === undefined ? given : { ...given, id: this.#ids.next(given.id) };
    const block = { start, call, text: new GrowingText(), signature: '' };
    this.#blocks.push(block);
    this.#byIndex.set(index, block);
    this.#emitCall(block);
    this.#append('text', block, start.text);
  }

  /** Excludes the object tool: its input is the text. */
  #callOf({ type, name }: EventJson): number | undefined {
    if (type !== 'tool_use' || (this.#isJson && name === objectToolName)) return undefined;
    this.#calls += 1;
    return this.#calls - 1;
  }

  #emitCall({ call: index, start }: Block) {
    if (index === undefined) return;
    const [toolCallId, toolName] = [textOf(start.id), textOf(start.name)];
    this.#emit({ type: 'tool-input', index, toolCallId, toolName, text: '' });
  }

  #add({ index, delta }: EventJson) {
    if (!isRecord(delta)) return;
    const { type, text, partial_json: json, thinking, signature } = delta;
    if (type === 'text_delta') this.#append('text', this.#blockOf('text', index), text);
    else if (type === 'input_json_delta')
      this.#append('tool_use', this.#blockOf('tool_use', index), json);
    else if (type === 'thinking_delta' && typeof thinking === 'string') {
      this.#thinkingAt(index)?.text.add(thinking);
      this.#emit({ type: 'reasoning', text: thinking });
    } else if (type === 'signature_delta' && typeof signature === 'string') {
      const block = this.#thinkingAt(index);
      if (block !== undefined) block.signature += signature;
    }
  }

  #thinkingAt(index: unknown): Block | undefined {
    if (this.#isRelayed) return undefined;
    const block = this.#byIndex.get(index);
    return isThinking(block?.start) ? block : undefined;
  }

  #emitThinking({ index }: EventJson) {
    const block = this.#thinkingAt(index);
    if (block === undefined) return;
    const before = this.#blocks.slice(0, this.#blocks.indexOf(block));
    const reasoned = before.filter(({ start }) => isThinking(start)).length;
    const others = before.filter(({ start }) => isContent(start)).length;
    const thinking_blocks = [withPosition(wholeBlock(block), reasoned + others, reasoned)];
    this.#emit({ type: 'own', text: JSON.stringify({ thinking_blocks }) });
  }

  #blockOf(type: 'text' | 'tool_use', index: unknown): Block | undefined {
    const block = this.#byIndex.get(index) ?? this.#blocks.at(-1);
    if (block !== undefined || type === 'tool_use') return block;
    this.#begin({ index, content_block: { type, text: '' } });
    return this.#blocks.at(-1);
  }

  #append(type: 'text' | 'tool_use', block: Block | undefined, text: unknown) {
    if (block?.start.type !== type || typeof text !== 'string' || text === '') return;
    block.text.add(text);
    const { call: index } = block;
    this.#emit(index === undefined ? { type: 'text', text } : { type: 'tool-input', index, text });
  }

  #readEnd(event: EventJson, text: string) {
    const { delta, usage } = event;
    const reason = isRecord(delta) ? delta.stop_reason : undefined;
    if (typeof reason === 'string' && reason !== '') this.#stopReason = reason;
    if (usage === undefined) return this.#counts.doubt(doubtsAboutTerms(event));
    const { outputTokens } = readUsage({ usage });
    const isTaken = this.#takeCounts(event, text);
    this.#hasLastCounts ||= isTaken && outputTokens !== undefined;
  }

  #takeCounts(message: EventJson, text: string, holder?: string): boolean {
    const isTaken = this.#counts.add(message, text, holder);
    if (isTaken) this.#usage = this.#withEarlier(message).usage;
    return isTaken;
  }

  #withEarlier(message: unknown): { readonly usage: EventJson } {
    const usage = fieldOf(message, 'usage');
    if (!isRecord(usage)) return { usage: this.#usage };
    const reportedCounts = Object.entries(usage).filter(([, value]) => value !== null);
    return { usage: { ...this.#usage, ...Object.fromEntries(reportedCounts) } };
  }
}

function isContent({ type }: EventJson): boolean {
  return type === 'text' || type === 'tool_use';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The wire has tool inputs as values; text that is not JSON stays text. */
function wholeBlock({ start, text: grown, signature }: Block): EventJson {
  const text = grown.whole();
  if (start.type === 'text') return { ...start, text };
  if (start.type === 'thinking') {
    const { thinking: begun, signature: given } = start;
    const thinking = (textOf(begun) ?? '') + text;
    const all = (textOf(given) ?? '') + signature;
    // Some vendors sign nothing.
    return all === '' ? { type: start.type, thinking } : { ...start, thinking, signature: all };
  }
  if (start.type !== 'tool_use' || text === '') return start;
  const isTaken = refusalOfShape(Buffer.from(text)) === undefined;
  const parsed = isTaken ? parseJson(text) : undefined;
  return { ...start, input: parsed === undefined ? text : parsed.value };
}
