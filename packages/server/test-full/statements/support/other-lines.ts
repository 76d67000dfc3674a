import { type ErrorShape, errorShapes } from '../../../src/platforms/statements/error-shapes.ts';
import { type ErrorWord, errorWords } from '../../../src/platforms/statements/error-words.ts';
import { finishReasonLines } from '../../../src/platforms/statements/finish-reasons.ts';
import { pricedWordLines } from '../../../src/platforms/statements/terms.ts';
import { type ToolLine, toolLines } from '../../../src/platforms/statements/tools.ts';
import type { Json } from '../../../test/calls/support/wires.ts';
import {
  answered,
  answeredThen,
  type Broken,
  brokenNumber,
  brokenWord,
  countsOf,
  Twice,
  textOf,
  type Way,
  ways,
} from './ways.ts';

/** Every line of all other tables, broken in every way. */
export function otherStatements(): readonly Broken[] {
  return [
    ...pricedWordLines.flatMap(({ field, word }) =>
      ways.map((way) => brokenPriced(field, word, way)),
    ),
    ...toolLines.flatMap((line) => ways.map((way) => brokenTool(line, way))),
    ...finishReasonLines.flatMap(({ word }) => ways.map((way) => brokenFinish(word, way))),
    ...errorWords.flatMap((line) => ways.map((way) => brokenErrorWord(line, way))),
    ...errorShapes.flatMap((line) => ways.map((way) => brokenShape(line, way))),
  ];
}

/** The priced word is next to another one only if the field occurs twice. */
function brokenPriced(field: string, word: string, way: Way): Broken {
  const value = way === 'twice' ? new Twice('other', word) : brokenWord(way, word, word);
  const isPriced = ['wrong place', 'after content', 'null', 'empty'].includes(way);
  return {
    name: `priced word ${field} ${word}`,
    way,
    on(wire) {
      if (way === 'wrong place') return answered(wire, countsOf(wire), { more: { [field]: word } });
      if (way === 'after content') return answeredThen(wire, countsOf(wire), { [field]: word });
      return answered(wire, countsOf(wire), { [field]: value });
    },
    isDoubtful: () => !isPriced,
  };
}

const ownFormat = { output: 'responses', content: 'messages' } as const;

/** An unknown type is not a call; a call after the content is one. */
function brokenTool({ list, type: pattern, runs }: ToolLine, way: Way): Broken {
  const good = pattern.replace('*', 'web_search');
  const type = way === 'twice' ? new Twice('other', good) : brokenWord(way, good, good);
  const item = { type, id: 'i', call_id: 'c', name: 'n', arguments: '{}', input: {} };
  const isCall = runs === 'platform' && (way === 'twice' || way === 'after content');
  return {
    name: `tool ${list} ${good}`,
    way,
    on(wire) {
      const counts = countsOf(wire);
      if (way === 'wrong place') return answered(wire, { ...counts, [list]: [item] }, {});
      if (wire.model !== ownFormat[list]) return answered(wire, counts, { more: [item] });
      const { whole, events } = answered(wire, counts, {});
      const late =
        list === 'output'
          ? { type: 'response.output_item.done', output_index: 1, item }
          : { type: 'content_block_start', index: 1, content_block: item };
      const last = events.length - (list === 'output' ? 1 : 2);
      return {
        whole: whole.replace(`"${list}":[`, `"${list}":[${textOf(item)},`),
        events: events.toSpliced(last, 0, textOf(late)),
      };
    },
    isDoubtful: ({ model }) => isCall && model === ownFormat[list],
  };
}

const reasonFields: Readonly<Record<string, string>> = {
  ...{ chat: 'finish_reason', responses: 'status', messages: 'stop_reason' },
};

/** The reason why a model stopped does not affect the cost. */
function brokenFinish(word: string, way: Way): Broken {
  const value = textOf([brokenWord(way, word, 'stop')]).slice(1, -1);
  return {
    name: `finish reason ${word}`,
    way,
    on(wire) {
      const field = reasonFields[wire.model] ?? '';
      if (way === 'wrong place') return answered(wire, countsOf(wire), { more: { [field]: word } });
      if (way === 'after content') return answeredThen(wire, countsOf(wire), { [field]: word });
      const text = way === 'twice' ? `"${word}","${field}":"stop"` : value;
      const stopped = new RegExp(`"${field}":"(?:stop|end_turn|completed)"`);
      const broken = (json: string) => json.replace(stopped, `"${field}":${text}`);
      const { whole, events } = answered(wire, countsOf(wire), {});
      return { whole: broken(whole), events: events.map(broken) };
    },
    isDoubtful: () => false,
  };
}

const message = 'It failed.';

/** The error object of a vendor whose codes are numbers. */
const objects: Readonly<Record<string, (code: unknown) => Json>> = {
  MiniMax: (code) => ({ base_resp: { status_code: code, status_msg: message } }),
  Baidu: (code) => ({ error_code: code, error_msg: message }),
  Cloudflare: (code) => ({ success: false, errors: [{ code, message }] }),
};

function brokenErrorWord({ word: pattern, numbers = '' }: ErrorWord, way: Way): Broken {
  const word = pattern.replace('*', '.more');
  const code = /^\d+$/.test(word)
    ? brokenNumber(way, Number(word), Number(word) + 0.5)
    : brokenWord(way, word, 'other');
  const body = objects[numbers]?.(code) ?? { error: { code, message } };
  const broken = brokenError(`error ${numbers} ${word}`, way, body);
  // A text with this beginning may have any length.
  return way === 'huge' && pattern !== word ? { ...broken, isDoubtful: () => false } : broken;
}

function brokenShape({ vendor, path, when, needs, codes, message: field }: ErrorShape, way: Way) {
  const [codeField = 'more'] = codes;
  const needed = Object.fromEntries(needs.map((name) => [name, message]));
  const condition = when === undefined ? {} : { [when[0]]: when[1] };
  const code = brokenNumber(way, 429, 429.5);
  let body: unknown = { ...needed, [field]: message, ...condition, [codeField]: code };
  for (const step of path === '' ? [] : path.split('.').toReversed()) {
    const name = step.replace('[]', '');
    const list = step.endsWith('[]') ? [body] : body;
    body = name === '' ? list : { [name]: list };
  }
  return brokenError(`error of ${vendor} ${path}`, way, body);
}

/** An error without a status may have been billed; so may an error after content. */
function brokenError(name: string, way: Way, body: unknown): Broken {
  return {
    name,
    way,
    on(wire) {
      const counts = countsOf(wire);
      if (way === 'wrong place') return answered(wire, counts, { more: body });
      const text = textOf(body);
      if (way !== 'after content') return { whole: text, events: [text] };
      const { whole, events } = answered(wire, counts, {});
      const at = events.findLastIndex((event) => event.includes('Hello'));
      const begun = events.slice(0, wire.model === 'responses' ? -1 : at + 1);
      const late = text.startsWith('[') ? `"errors":${text}}` : text.slice(1);
      return { whole: `${whole.slice(0, -1)},${late}`, events: [...begun, text] };
    },
    isDoubtful: (_, isStream) => (way === 'after content' ? isStream : way !== 'wrong place'),
  };
}
