// The source of docs/statements.md: the tables that interpret responses of platforms.
import { accountWords } from '../packages/server/src/platforms/statements/account-words.ts';
import { costLines } from '../packages/server/src/platforms/statements/costs.ts';
import {
  type CountMeaning,
  countLines,
} from '../packages/server/src/platforms/statements/counts.ts';
import { errorShapes } from '../packages/server/src/platforms/statements/error-shapes.ts';
import { errorWords } from '../packages/server/src/platforms/statements/error-words.ts';
import { fieldLines, wrapperLines } from '../packages/server/src/platforms/statements/fields.ts';
import { finishReasonLines } from '../packages/server/src/platforms/statements/finish-reasons.ts';
import {
  allTools,
  type NumberLine,
  numberLines,
} from '../packages/server/src/platforms/statements/numbers.ts';
import { reasonLines } from '../packages/server/src/platforms/statements/reasons.ts';
import type { Statement } from '../packages/server/src/platforms/statements/statement.ts';
import { pricedWordLines, termLines } from '../packages/server/src/platforms/statements/terms.ts';
import { toolLines } from '../packages/server/src/platforms/statements/tools.ts';
import { usagePathLines } from '../packages/server/src/platforms/statements/usage-paths.ts';
import { waitLines } from '../packages/server/src/platforms/statements/waits.ts';

/** One table of the document. */
interface Table {
  readonly title: string;
  /** The effect of its lines on the cost of a call. */
  readonly effect: string;
  /** The names of its columns, before those of the vendor and the source. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly [line: Statement, ...cells: string[]])[];
}

const countMeanings: Readonly<Record<CountMeaning, string>> = {
  input: 'input',
  'more-input': 'input, in addition to the other input',
  cached: 'cached input',
  uncached: 'input that was not cached',
  written: 'input written to the cache',
  'written-5m': 'written to the cache for 5 minutes',
  'written-1h': 'written to the cache for 1 hour',
  output: 'output',
  reasoning: 'reasoning',
  total: 'input and output',
};

/** The word of a tool in `toolUses`; without one it is the name without its end. */
function toolText(tool: string): string {
  return tool === allTools ? ', of all tools' : `, of ${code(tool)}`;
}

const numberMeanings: Readonly<Record<NumberLine['means'], string>> = {
  free: 'nothing: it is a time, a size, or a part of another number',
  modality: '`other-price` where its `modality` is `AUDIO` or `VIDEO`, otherwise nothing',
  'other-price': '`other-price`',
  'server-tool': '`server-tool`',
};

const families = {
  messages: 'next to `input_tokens`, within any other input',
  converse: 'next to `inputTokens`, within any other input',
  gemini: 'next to the counts with Gemini’s names, within any other',
  any: 'next to the output, unless a total has it within',
} as const;

const tables: readonly Table[] = [
  {
    title: 'Places of counts',
    effect:
      'A response is booked with the counts that are in one of these places. Two places with different counts make the cost an estimate (`contradicting-counts`).',
    heads: ['place'],
    rows: usagePathLines.map((line) => [line, code(line.path)]),
  },
  {
    title: 'Counts',
    effect:
      'Each count is priced at its rate. Two names of a count with one value are one count. With two values, the most expensive one is booked, as an estimate (`contradicting-counts`). A name of the input or the output that is 0 is passed over where another one is not.',
    heads: ['name in `usage`', 'count', 'where it is counted'],
    rows: countLines.map((line) => {
      const isPart = line.means !== 'input' && line.means !== 'output';
      const family = isPart && line.apart !== undefined ? families[line.apart] : '';
      return [line, code(line.path), countMeanings[line.means], family];
    }),
  },
  {
    title: 'Other numbers',
    effect:
      'A number of another price makes the cost an estimate. Uses of a tool do, unless [`toolUses`](configuration.md#amounts-per-request-and-per-use) has a price of the tool: its word is the name without `_requests` or `_calls`, where the table has no other. So does every number that is not 0 and is in none of these tables (`unknown-number`), and a fraction whose name contains a word for money. Other fractions are times and rates. `*` is any name.',
    heads: ['name in `usage`', 'effect'],
    rows: numberLines.map((line) => {
      const { means, path, tool, part } = line;
      const ofPart = part === undefined ? '' : `, unless the row has \`${part}UsdPerMillion\``;
      const of = means === 'server-tool' && tool !== undefined ? toolText(tool) : ofPart;
      return [line, code(path), `${numberMeanings[means]}${of}`];
    }),
  },
  {
    title: 'Reported costs',
    effect:
      'A cost above the cost of the counts is booked, as an estimate (`reported-cost`), up to the maximum cost of the attempt with the whole context of its model. A lower cost changes nothing. A wallet pays at most its reservation.',
    heads: ['name in `usage`', 'unit', 'added where'],
    rows: costLines.map((line) => [
      line,
      code(line.path),
      line.power === 12 ? 'USD' : `10^-${12 - line.power} USD`,
      line.addedWhere === undefined ? '' : `${code(line.addedWhere)} is true`,
    ]),
  },
  {
    title: 'Terms of a price',
    effect:
      'Any other word than those of the next table makes the cost an estimate. The field is read at the top of a response and in its `usage`.',
    heads: ['field', 'reason'],
    rows: termLines.map((line) => [line, code(line.field), code(line.reason)]),
  },
  {
    title: 'Priced words',
    effect: 'These words are the terms that the prices of models are for. Case does not matter.',
    heads: ['field', 'word'],
    rows: pricedWordLines.map((line) => [line, code(line.field), code(line.word)]),
  },
  {
    title: 'Calls of tools',
    effect:
      'A call of a tool that the platform runs makes the cost an estimate (`server-tool`). The caller runs the other tools, at no cost.',
    heads: ['list', 'type', 'who runs it'],
    rows: toolLines.map((line) => [
      line,
      code(line.list),
      code(line.type),
      line.runs === 'caller' ? 'the caller' : 'the platform',
    ]),
  },
  {
    title: 'Error objects',
    effect:
      'An error object in a response with 200, with no content before it, has the status that it names, and costs what a response with that HTTP status would. Without a status it is 502, and the maximum is booked. After content the response is broken off. An empty value, `null` and `false` are not error objects.',
    heads: ['place', 'condition', 'fields of its code'],
    rows: errorShapes.map((line) => [
      line,
      line.path === '' ? 'the response' : code(line.path),
      conditionOf(line),
      line.codes.map(code).join(', '),
    ]),
  },
  {
    title: 'Codes of errors',
    effect:
      'The status of a code, where the error object has no number from 400 to 599. Case does not matter.',
    heads: ['code', 'status'],
    rows: errorWords.map((line) => [line, code(line.word), String(line.status)]),
  },
  {
    title: 'Waits',
    effect:
      'When a call that was throttled may be repeated: the gateway waits so long before its next try, where the call has the time, and passes it on as `retry-after`. The first place that states one counts. A reset counts where its limit is used up. A number is in seconds; `*` is the limited resource.',
    heads: ['header, or place in the body', 'header of the remainder'],
    rows: waitLines.map((line) => [
      line,
      code(line.location),
      line.remainingHeader === undefined ? '' : code(line.remainingHeader),
    ]),
  },
  {
    title: 'Accounts without money',
    effect:
      'An error with one of these words, or with the status 402, is about the account of the gateway. It costs nothing and is not retried. Callers get THROTTLED with the status 429, and SERVER with any other. Case does not matter.',
    heads: ['words', 'place'],
    rows: accountWords.map((line) => [line, code(line.word), line.isIn]),
  },
  {
    title: 'Reasons of rejections',
    effect:
      'Words of a rejection that state its reason, which [callers get](errors.md#reasons-of-a-rejection) in a sentence of the gateway. The first line that is found in the texts of the error decides, without what they quote of the request. `…` is any text. Case does not matter. The status 413 without one of these words is `context_length`, and a named field without one is `parameter`. An error object in a response with 200 that names no status, and has one of these words, counts as 400, except for `content_policy`.',
    heads: ['words', 'reason'],
    rows: reasonLines.map((line) => [
      line,
      code(line.words.replaceAll('`', '')),
      code(line.reason),
    ]),
  },
  {
    title: 'Fields in rejections',
    effect:
      'A field that a platform names reaches the caller by the name that the caller sent, and only if the caller sent it.',
    heads: ['field', 'meaning'],
    rows: fieldLines.map((line) => [line, code(line.field), code(line.means)]),
  },
  {
    title: 'Steps before a field',
    effect: 'Some vendors write these in front of the field that they name.',
    heads: ['step'],
    rows: wrapperLines.map((line) => [line, code(line.step)]),
  },
  {
    title: 'Finish reasons',
    effect:
      'Why the model stopped: it decides what the caller gets, and no cost. On `/openai` every other word is `stop` and is named in `x-finish-reason`; on `/v1` it is `other`. Case does not matter.',
    heads: ['word', 'reason'],
    rows: finishReasonLines.map((line) => [line, code(line.word), code(line.finish)]),
  },
];

export function statementsDocument(): string {
  return [
    '# Statements: what platforms report, and what it costs',
    'Platforms report the same facts under many names. The gateway reads responses by the tables in `packages/server/src/platforms/statements`, and this page is written from them: `npx node scripts/write-statements.ts`. [The ledger](ledger.md#evidence-the-apps-budget) lists the reasons of estimates.',
    ...tables.map(textOf),
  ]
    .join('\n\n')
    .concat('\n');
}

function textOf({ title, effect, heads, rows }: Table): string {
  const all = [...heads, 'vendor', 'source'];
  const lines = rows.map(([line, ...cells]) => rowOf([...cells, line.vendor, link(line.source)]));
  return [
    `## ${title}`,
    '',
    effect,
    '',
    rowOf(all),
    `|${'---|'.repeat(all.length)}`,
    ...lines,
  ].join('\n');
}

function rowOf(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
}

function conditionOf({ when, needs }: (typeof errorShapes)[number]): string {
  if (when !== undefined) return `${code(when[0])} is ${code(when[1])}`;
  return needs.length === 0 ? '' : `it has ${needs.map(code).join(' and ')}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A page by its host, and a report by its name. */
function link(source: string): string {
  if (source.startsWith('https://')) return `[${new URL(source).host}](${source})`;
  const [repository, number] = source.split('#');
  return `[${source}](https://github.com/${repository}/issues/${number})`;
}
