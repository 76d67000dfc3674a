import { fieldOf, isRecord } from '../../../lib/json-value.ts';
import { doubtsAboutItem } from '../../evidence/evidence.ts';
import { readUsage } from '../../evidence/read-usage.ts';
import { Statements } from '../../evidence/statements.ts';
import { withPosition } from '../../model/carry.ts';
import type { ReportedUsage } from '../../model/port.ts';
import { CallIds } from '../../model/written-calls.ts';
import type { EmitDelta, EventJson, Fold, Step } from '../codec/fold.ts';
import { returnable } from '../codec/reasoning-item.ts';

/**
 * The last event contains the whole response; if it has no output, the finished items replace it.
 * Skips unknown and unreadable events.
 */
export class ResponseFold implements Fold {
  readonly #isJson: boolean;
  readonly #isRelayed: boolean;
  readonly #emit: EmitDelta;
  readonly #items: EventJson[] = [];
  readonly #comments = new Set<unknown>();
  readonly #calls = new Map<unknown, number>();
  readonly #ids: CallIds;
  #callCount = 0;
  readonly #counts = new Statements(readUsage);
  #response: EventJson | undefined;

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

  read(event: EventJson, name: string, text: string): Step {
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
        if (!isRecord(event.item)) return 'more';
        this.#counts.doubt(doubtsAboutItem(event.item, 'output'));
        this.#items.push(event.item);
        return this.#emitReasoning(event.item);
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(event, event.type.slice('response.'.length), text);
      case 'response.done': {
        // Some servers use one name for all end events.
        const status = fieldOf(event.response, 'status');
        const isEnd = status === 'completed' || status === 'incomplete' || status === 'failed';
        return isEnd ? this.read({ ...event, type: `response.${status}` }, name, text) : 'more';
      }
      case 'response.failed':
        this.#response = isRecord(event.response) ? event.response : {};
        this.#addCounts(this.#response, text);
        return { failed: this.#response, isLastEvent: true };
      case 'error':
        return { failed: event, isLastEvent: false };
      default:
        if (isRecord(event.response)) this.#addCounts(event.response, text);
        return 'more';
    }
  }

  isDelta({ type }: EventJson): boolean {
    return typeof type === 'string' && type.endsWith('.delta');
  }

  isFinished(): boolean {
    return false;
  }

  isAnswer(): boolean {
    return this.#items.length > 0;
  }

  /** Without a last event, the finished items count. */
  answer(): EventJson {
    return this.#response ?? { status: 'incomplete', output: this.#items };
  }

  final(): ReportedUsage {
    return this.#counts.final();
  }

  reportedSoFar(): ReportedUsage | undefined {
    return this.#counts.reportedSoFar();
  }

  #addCounts(response: EventJson, text: string) {
    this.#counts.add(response, text, 'response');
  }

  #hand(type: 'text' | 'reasoning', text: unknown): Step {
    if (typeof text === 'string' && text !== '') this.#emit({ type, text });
    return 'more';
  }

  #emitReasoning(item: EventJson): Step {
    const returnableItem = this.#isRelayed ? undefined : returnable(item);
    if (returnableItem === undefined) return 'more';
    const before = this.#items.slice(0, -1);
    const reasoned = before.filter((other) => returnable(other) !== undefined).length;
    const others = before.filter(({ type }) => type === 'message' || type === 'function_call');
    const reasoning_items = [withPosition(returnableItem, reasoned + others.length, reasoned)];
    this.#emit({ type: 'own', text: JSON.stringify({ reasoning_items }) });
    return 'more';
  }

  #begin({ output_index: index, item }: EventJson): Step {
    const [type, phase] = [fieldOf(item, 'type'), fieldOf(item, 'phase')];
    if (this.#isJson && phase === 'commentary') this.#comments.add(index);
    if (type !== 'function_call') return 'more';
    const [id, callId] = [fieldOf(item, 'id'), fieldOf(item, 'call_id')];
    const toolCallId = this.#ids.next(callId ?? id);
    const call = { index: this.#callCount, toolCallId, toolName: textOf(fieldOf(item, 'name')) };
    this.#callCount += 1;
    this.#calls.set(index ?? id, call.index);
    this.#emit({ type: 'tool-input', ...call, text: '' });
    return 'more';
  }

  /** The whole call repeats the input of an unknown call. */
  #handInput({ output_index: outputIndex, item_id: id, delta: text }: EventJson): Step {
    const index = this.#calls.get(outputIndex ?? id);
    if (index === undefined || typeof text !== 'string' || text === '') return 'more';
    this.#emit({ type: 'tool-input', index, text });
    return 'more';
  }

  #end({ response = {} }: EventJson, status: string, text: string): Step {
    if (!isRecord(response)) return this.#end({}, status, text);
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
