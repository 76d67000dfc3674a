import { tableLines } from '../text-lines.ts';
import type { DearestCalls, Unsearched } from './dearest-calls.ts';
import type { FoundCall, FoundCalls } from './find-calls.ts';

const head = [
  'call',
  'started',
  'app',
  'key',
  'user',
  'model',
  'code',
  'cost USD',
  'estimated USD',
];

/** The dearest calls, and what was not looked at. */
export function dearestLines({ calls, unsearched }: DearestCalls): readonly string[] {
  const table = tableOf(calls);
  return unsearched === null ? table : [...table, unsearchedLine(unsearched)];
}

function unsearchedLine({ since, until, atMostUsd }: Unsearched): string {
  const range = `Not looked at: calls ${since === null ? '' : `from ${since} `}until ${until}`;
  const most =
    atMostUsd === null ? 'which may be dearer' : `none of which costs more than $${atMostUsd}`;
  return `${range}, ${most}; name a shorter time`;
}

/** A page of calls, and how to go on. */
export function foundLines({ calls, after, searchedBackTo }: FoundCalls): readonly string[] {
  const table = tableOf(calls);
  if (after === null) return table;
  const goOn = `go on with --after ${after}`;
  const how = searchedBackTo === null ? 'There may be more' : `Searched back to ${searchedBackTo}`;
  return [...table, `${how}: ${goOn}`];
}

function tableOf(calls: readonly FoundCall[]): readonly string[] {
  const money = ['cost USD', 'estimated USD'];
  return tableLines(head, calls.map(cellsOf), 'No call was found.', money);
}

function cellsOf(call: FoundCall): readonly string[] {
  const { id, startedAt, app, keyId, userId, model, code } = call;
  const who = [app, keyId ?? 'unknown', userId ?? 'none'];
  return [id, startedAt, ...who, model, code, call.costUsd, call.estimatedUsd];
}
