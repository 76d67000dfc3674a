import { checkNames, type Fields, oneOf, wrongType } from '../lib/fields.ts';
import type { StreamPlan, StreamStop } from '../model/stream-plan.ts';

const names = [
  ...['gapMs', 'stop', 'split', 'toolPieces', 'counts', 'lineEnd', 'comments', 'eventsEach'],
  ...['bytesEach', 'large', 'goesOn'],
];

const gapMsMax = 600_000;
const stepsMax = 100_000_000;
const bytesMax = 64 * 1024 * 1024;
const piecesMax = 10_000;

export function streamPlanIn(instructions: Fields): StreamPlan | undefined {
  const fields = instructions.fields('stream');
  if (fields === undefined) return undefined;
  checkNames(fields, instructions.path('stream'), names);
  return {
    gapMs: fields.integer('gapMs', 0, gapMsMax),
    stop: stopIn(fields),
    split: oneOf(fields, 'split', ['words', 'units']),
    toolPieces: fields.integer('toolPieces', 1, piecesMax),
    counts: oneOf(fields, 'counts', ['zero-first', 'last', 'each']),
    lineEnd: oneOf(fields, 'lineEnd', ['lf', 'crlf', 'cr']),
    comments: fields.boolean('comments'),
    eventsEach: fields.integer('eventsEach', 1, piecesMax),
    bytesEach: fields.integer('bytesEach', 1, bytesMax),
    large: largeIn(fields),
    goesOn: fields.boolean('goesOn'),
  };
}

function stopIn(stream: Fields): StreamStop | undefined {
  const fields = stream.fields('stop');
  if (fields === undefined) return undefined;
  checkNames(fields, stream.path('stop'), ['how', 'after']);
  const how = oneOf(fields, 'how', ['break', 'silence', 'error', 'end']);
  if (how === undefined) throw wrongType(fields.path('how'), 'a string', fields.value('how'));
  return { how, after: fields.integer('after', 0, stepsMax) ?? 0 };
}

function largeIn(stream: Fields): StreamPlan['large'] {
  const fields = stream.fields('large');
  if (fields === undefined) return undefined;
  checkNames(fields, stream.path('large'), ['after', 'bytes']);
  const after = fields.integer('after', 0, stepsMax) ?? 0;
  return { after, bytes: fields.integer('bytes', 1, bytesMax) ?? 2 * 1024 * 1024 };
}
