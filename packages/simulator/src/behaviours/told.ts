import type { Answer, AnswerFault, ModelCall, StatedUsage } from '../outcome.ts';
import { invalid } from '../platform-error.ts';
import { type Fields, fieldsOf, wrongType } from '../surfaces/fields.ts';
import { countNormalizedInputTokens, type TokenCounts } from '../usage.ts';
import { isRecord } from '../wire.ts';
import { echo, lastUserText } from './echo.ts';

/**
 * Does what the JSON object in the last user text says: what it bills, what it states as used, how
 * long it takes, what becomes of the answer. Any other text is answered as sim-echo answers it.
 * Throws the platform's 400 for an object that it cannot follow.
 */
export function doAsTold(call: ModelCall): Answer {
  const directive = directiveIn(lastUserText(call.request));
  if (directive === undefined) return echo(call.request);
  const fields = fieldsOf(directive, 'told');
  checkNames(directive);
  const label = labelIn(fields);
  const delayMs = fields.integer('delayMs', 0, delayMsMax);
  const handoverDelayMs = fields.integer('handoverDelayMs', 0, delayMsMax);
  const statedUsage = statedIn(fields);
  const fault = faultIn(fields);
  return {
    kind: 'answer',
    text: fields.text('text') ?? 'As told.',
    usage: billedIn(fields, call),
    ...(label !== undefined && { label }),
    ...(delayMs !== undefined && { delayMs }),
    ...(handoverDelayMs !== undefined && { handoverDelayMs }),
    ...(statedUsage !== undefined && { statedUsage }),
    ...(fault !== undefined && { fault }),
  };
}

const names = ['label', 'text', 'bills', 'states', 'delayMs', 'handoverDelayMs', 'fault'];
const delayMsMax = 600_000;
const labelCharactersMax = 100;
const tokensMax = 1_000_000_000;
const faults: readonly AnswerFault[] = ['reset', 'reset-mid-body', 'half'];

function directiveIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // A text that only begins like an object is a text.
    return undefined;
  }
}

function checkNames(directive: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(directive).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw invalid(`Unknown 'told.${unknown}': it can be ${names.join(', ')}.`, `told.${unknown}`);
}

/** By default the counting rule's tokens, of the answer's text as well. */
function billedIn(fields: Fields, call: ModelCall): Partial<TokenCounts> {
  const bills = fields.fields('bills');
  if (bills === undefined) return {};
  const input = bills.value('inputTokens');
  const output = bills.value('outputTokens');
  return {
    ...(input !== undefined && {
      inputTokens:
        input === 'normalized' ? countNormalizedInputTokens(call.request) : count(bills, 'input'),
    }),
    ...(output !== undefined && {
      outputTokens: output === 'all' ? call.outputTokensMax : count(bills, 'output'),
    }),
  };
}

function count(fields: Fields, kind: 'input' | 'output'): number {
  return fields.integer(`${kind}Tokens`, 0, tokensMax) ?? 0;
}

/** The bill keeps labels of many calls. */
function labelIn(fields: Fields): string | undefined {
  const label = fields.text('label');
  if (label === undefined || label.length <= labelCharactersMax) return label;
  const path = fields.path('label');
  throw invalid(`Invalid '${path}': it has more than ${labelCharactersMax} characters.`, path);
}

function statedIn(fields: Fields): 'absent' | StatedUsage | undefined {
  const states = fields.value('states');
  if (states === undefined || states === 'absent') return states;
  const stated = fieldsOf(states, fields.path('states'));
  return { inputTokens: scalar(stated, 'input'), outputTokens: scalar(stated, 'output') };
}

/** As a broken server would state it. */
function scalar(fields: Fields, kind: 'input' | 'output'): number | string | null {
  const value = fields.value(`${kind}Tokens`) ?? null;
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  throw wrongType(fields.path(`${kind}Tokens`), 'a number, a string or null', value);
}

function faultIn(fields: Fields): AnswerFault | undefined {
  const name = fields.text('fault');
  const fault = faults.find((known) => known === name);
  if (name === undefined || fault !== undefined) return fault;
  const path = fields.path('fault');
  throw invalid(`Invalid '${path}': expected ${faults.join(', ')}, but got ${name}.`, path);
}
