import { checkNames, type Fields, fieldsOf, oneOf, wrongType } from '../lib/fields.ts';
import { invalid } from '../lib/platform-error.ts';
import { isRecord } from '../lib/wire.ts';
import type { ToolCallText } from '../model/model-request.ts';
import type {
  Answer,
  AnswerFault,
  ModelCall,
  Rejection,
  ReportedFirst,
  ReportedUsage,
} from '../model/outcome.ts';
import { rejectionShapes } from '../model/rejections.ts';
import { otherWords } from '../model/reported-otherwise.ts';
import { countNormalizedInputTokens, type TokenCounts } from '../model/usage.ts';
import { echo, lastUserText } from './echo.ts';
import { streamPlanIn } from './stream-instructions.ts';

/**
 * Follows the JSON object in the last user text; handles any other text like sim-echo. Throws the
 * platform's 400 for an invalid object.
 */
export function followInstructions(call: ModelCall): Answer | Rejection {
  const directive = directiveIn(lastUserText(call.request));
  if (directive === undefined) return echo(call.request);
  const fields = fieldsOf(directive, 'told');
  checkNames(fields, 'told', names);
  const label = labelIn(fields);
  const rejection = rejectionIn(fields);
  if (rejection !== undefined) {
    return { ...rejection, usage: billedIn(fields, call), ...(label !== undefined && { label }) };
  }
  const delayMs = fields.integer('delayMs', 0, delayMsMax);
  const handoverDelayMs = fields.integer('handoverDelayMs', 0, delayMsMax);
  const reportedUsage = reportedIn(fields);
  const reportedFirst = reportedFirstIn(fields);
  const reports = oneOf(fields, 'reports', otherWords);
  const fault = faultIn(fields);
  const isFaultyOnce = fields.boolean('isFaultyOnce');
  const stream = streamPlanIn(fields);
  const toolCalls = toolCallsIn(fields);
  const vectors = fields.integer('vectors', 0, vectorsMax);
  const reasoningTokens = fields.integer('reasoningTokens', 0, tokensMax);
  return {
    kind: 'answer',
    text: fields.text('text') ?? (toolCalls === undefined ? 'As told.' : ''),
    usage: billedIn(fields, call),
    ...(label !== undefined && { label }),
    ...(vectors !== undefined && { vectors }),
    ...(delayMs !== undefined && { delayMs }),
    ...(handoverDelayMs !== undefined && { handoverDelayMs }),
    ...(reportedUsage !== undefined && { reportedUsage }),
    ...(reportedFirst !== undefined && { reportedFirst }),
    ...(reports !== undefined && { reports }),
    ...(fault !== undefined && { fault }),
    ...(isFaultyOnce !== undefined && { isFaultyOnce }),
    ...(stream !== undefined && { stream }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

const names = [
  ...['label', 'text', 'toolCalls', 'reasoningTokens', 'bills', 'states', 'statesFirst'],
  ...['delayMs', 'handoverDelayMs', 'fault', 'isFaultyOnce', 'stream', 'vectors'],
  ...['rejects', 'reports'],
];
const vectorsMax = 2_048;
const delayMsMax = 600_000;
const labelCharactersMax = 100;
const tokensMax = 1_000_000_000;

function directiveIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // A text that only begins like an object is plain text.
    return undefined;
  }
}

/** Default: the counting rule, including the response's text. */
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
    ...cacheIn(bills),
  };
}

/** Cached input, cache writes, and the part stored for an hour. */
function cacheIn(bills: Fields): Partial<TokenCounts> {
  const cached = bills.integer('cachedInputTokens', 0, tokensMax);
  const written = bills.integer('cacheWriteInputTokens', 0, tokensMax);
  const hour = bills.integer('cacheWrite1hInputTokens', 0, written ?? 0);
  return {
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteInputTokens: written }),
    ...(hour !== undefined && { cacheWrite1hInputTokens: hour }),
  };
}

function count(fields: Fields, kind: 'input' | 'output'): number {
  return fields.integer(`${kind}Tokens`, 0, tokensMax) ?? 0;
}

function toolCallsIn(fields: Fields): readonly ToolCallText[] | undefined {
  const path = fields.path('toolCalls');
  return fields.list('toolCalls')?.map((entry, index) => {
    const call = fieldsOf(entry, `${path}[${index}]`);
    return { name: call.requiredText('name'), arguments: call.requiredText('arguments') };
  });
}

/** Limited, since the bill stores the labels of many calls. */
function labelIn(fields: Fields): string | undefined {
  const label = fields.text('label');
  if (label === undefined || label.length <= labelCharactersMax) return label;
  const path = fields.path('label');
  throw invalid(`Invalid '${path}': it has more than ${labelCharactersMax} characters.`, path);
}

function reportedIn(fields: Fields): 'absent' | ReportedUsage | undefined {
  const states = fields.value('states');
  if (states === undefined || states === 'absent') return states;
  return countsIn(fieldsOf(states, fields.path('states')));
}

function reportedFirstIn(fields: Fields): ReportedFirst | undefined {
  const reported = fields.fields('statesFirst');
  if (reported === undefined) return undefined;
  const how = oneOf(reported, 'how', ['start', 'before', 'object', 'names']);
  if (how === undefined) throw wrongType(reported.path('how'), 'a string', reported.value('how'));
  return { ...countsIn(reported), how };
}

function countsIn(reported: Fields): ReportedUsage {
  return { inputTokens: scalar(reported, 'input'), outputTokens: scalar(reported, 'output') };
}

function scalar(fields: Fields, kind: 'input' | 'output'): number | string | null {
  const value = fields.value(`${kind}Tokens`) ?? null;
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  throw wrongType(fields.path(`${kind}Tokens`), 'a number, a string or null', value);
}

function rejectionIn(fields: Fields): Rejection | undefined {
  const rejects = fields.fields('rejects');
  if (rejects === undefined) return undefined;
  checkNames(rejects, fields.path('rejects'), ['as', 'at']);
  const shape = oneOf(rejects, 'as', rejectionShapes);
  if (shape === undefined) throw wrongType(rejects.path('as'), 'a string', rejects.value('as'));
  const at = oneOf(rejects, 'at', ['first', 'started', 'counted', 'whole']) ?? 'first';
  return { kind: 'rejection', shape, at };
}

function faultIn(fields: Fields): AnswerFault | undefined {
  return oneOf(fields, 'fault', ['reset', 'reset-mid-body', 'half']);
}
