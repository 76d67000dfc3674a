import { fieldOf, isRecord } from '../../lib/json-value.ts';
import { doubtAboutItem } from '../evidence/evidence.ts';
import { Statements } from '../evidence/statements.ts';
import type { ReportedUsage } from '../port.ts';
import type { EventJson, Fold, Step, Tell } from '../stream/fold.ts';
import { readUsage } from './read-usage.ts';

/**
 * Reads the events of a response. The last of them has all of it, so that nothing is put together;
 * where it leaves the output out, that of the items that were done stands for it. Events of kinds
 * that were not asked for are passed over.
 */
export class ResponseFold implements Fold {
  readonly #isJson: boolean;
  readonly #tell: Tell;
  readonly #items: EventJson[] = [];
  /** Of an object's messages those that only comment on it. */
  readonly #comments = new Set<unknown>();
  /** Tool calls, by their places in the output. */
  readonly #calls = new Map<unknown, number>();
  readonly #counts = new Statements(readUsage);
  #response: EventJson = {};

  constructor(isJson: boolean, tell: Tell) {
    this.#isJson = isJson;
    this.#tell = tell;
  }

  read(event: EventJson, _name: string, text: string): Step {
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        if (this.#comments.has(event.output_index)) return 'more';
        return this.#hand('text', event.delta);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#hand('reasoning', event.delta);
      case 'response.function_call_arguments.delta':
        return this.#handInput(event);
      case 'response.output_item.added':
        return this.#begin(event);
      case 'response.output_item.done':
        if (!isRecord(event.item)) return 'odd';
        this.#counts.doubt(doubtAboutItem(event.item, 'output'));
        this.#items.push(event.item);
        return 'more';
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(event, event.type.slice('response.'.length), text);
      case 'response.failed':
        this.#response = isRecord(event.response) ? event.response : {};
        this.#addCounts(this.#response, text);
        return { failed: this.#response, isLastEvent: true };
      case 'error':
        return { failed: event, isLastEvent: false };
      default:
        if (isRecord(event.response)) this.#addCounts(event.response, text);
        return typeof event.type === 'string' ? 'more' : 'odd';
    }
  }

  isDelta({ type }: EventJson): boolean {
    return typeof type === 'string' && type.endsWith('.delta');
  }

  isFinished(): boolean {
    return false;
  }

  answer(): EventJson {
    return this.#response;
  }

  final(): ReportedUsage {
    return this.#counts.final();
  }

  stated(): ReportedUsage | undefined {
    return this.#counts.stated();
  }

  #addCounts(response: EventJson, text: string) {
    this.#counts.add(response, text, 'response');
  }

  #hand(type: 'text' | 'reasoning', text: unknown): Step {
    if (typeof text !== 'string') return 'odd';
    if (text !== '') this.#tell({ type, text });
    return 'more';
  }

  #begin({ output_index: index, item }: EventJson): Step {
    const [type, phase] = [fieldOf(item, 'type'), fieldOf(item, 'phase')];
    if (this.#isJson && phase === 'commentary') this.#comments.add(index);
    if (type !== 'function_call') return 'more';
    const toolCallId = textOf(fieldOf(item, 'call_id'));
    const toolName = textOf(fieldOf(item, 'name'));
    const call = { index: this.#callOf(index), toolCallId, toolName };
    this.#tell({ type: 'tool-input', ...call, text: '' });
    return 'more';
  }

  #handInput({ output_index: index, delta: text }: EventJson): Step {
    if (typeof text !== 'string') return 'odd';
    if (text !== '') this.#tell({ type: 'tool-input', index: this.#callOf(index), text });
    return 'more';
  }

  /** Which of the tool calls an item of the output is. */
  #callOf(item: unknown): number {
    const known = this.#calls.get(item) ?? this.#calls.size;
    this.#calls.set(item, known);
    return known;
  }

  #end({ response }: EventJson, status: string, text: string): Step {
    if (!isRecord(response)) return 'odd';
    this.#counts.outdate();
    this.#addCounts(response, text);
    const { output } = response;
    const isLeftOut = !Array.isArray(output) || output.length === 0;
    this.#response = { status, ...response, output: isLeftOut ? this.#items : output };
    return 'end';
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
