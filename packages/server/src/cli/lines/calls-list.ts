import type { FoundCall, FoundCalls } from '../../admin/find-calls.ts';
import { tableLines } from '../print.ts';

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

/** A page of calls, and how to go on. */
export function foundLines({ calls, after, searchedBackTo }: FoundCalls): readonly string[] {
  const money = ['cost USD', 'estimated USD'];
  const table = tableLines(head, calls.map(cellsOf), 'No call was found.', money);
  if (after === null) return table;
  const goOn = `go on with --after ${after}`;
  const how = searchedBackTo === null ? 'There may be more' : `Searched back to ${searchedBackTo}`;
  return [...table, `${how}: ${goOn}`];
}

function cellsOf(call: FoundCall): readonly string[] {
  const { id, startedAt, app, keyId, userId, model, code } = call;
  const who = [app, keyId ?? 'unknown', userId ?? 'none'];
  return [id, startedAt, ...who, model, code, call.costUsd, call.estimatedUsd];
}
