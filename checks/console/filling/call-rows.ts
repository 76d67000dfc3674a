/** A model of filled calls, with prices in pico-USD a token. */
export interface FilledModel {
  readonly id: string;
  readonly version: string;
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly output: bigint;
}

/** The app of filled calls. */
export interface FilledApp {
  readonly name: string;
  readonly keyId: string;
}

/** The source of a statement's numbers. */
export const numbersOf = {
  sqlite: 'numbers (n) as (select $1 union all select n + 1 from numbers where n + 1 < $2)',
  postgres: 'numbers (n) as (select n from generate_series($1::bigint, $2::bigint - 1) as n)',
} as const;

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const columns = [
  ...['call_id', 'app', 'user_id', 'day', 'route', 'model', 'usage_model', 'price_version'],
  ...['key_id', 'remote', 'platform', 'started_at', 'code', 'input_tokens', 'cached_input_tokens'],
  ...['cache_write_input_tokens', 'output_tokens', 'reasoning_tokens', 'cost', 'estimated'],
  ...['basis', 'attempts', 'upstream_id', 'ended_at', 'wallet_grant', 'wallet_topup', 'held'],
];

/**
 * Makes finished calls of the numbers from `$1` to the one before `$2`, on the day `$3`. The first
 * is at the millisecond `$4`, and one follows every `$5` µs. App, model and outcome are mixed only
 * from the numbers. The cost is tokens × price, and the ids contain the time.
 */
export function insertCalls(
  kind: 'sqlite' | 'postgres',
  parts: {
    readonly apps: readonly FilledApp[];
    readonly models: readonly FilledModel[];
    readonly users: number;
  },
): string {
  const { apps, models, users } = parts;
  const ofModel = (value: (model: FilledModel) => string) => pick(models.map(value), '(mix / 7)');
  return `
    insert into call (${columns.join(', ')})
    with recursive ${numbersOf[kind]},
    mixed as (
      select n, (n * 2654435761) % 4294967291 as mix,
             cast($4 as bigint) + (n - $1) * cast($5 as bigint) / 1000 as at
        from numbers),
    asked as (
      select n, mix, at,
             ${pick(apps.map(({ name }) => `'${name}'`))} as app,
             ${pick(apps.map(({ keyId }) => `'${keyId}'`))} as key_id,
             'user-' || cast((mix / 13) % ${users} as text) as user_id,
             ${ofModel(({ id }) => `'${id}'`)} as model,
             ${ofModel(({ version }) => `'${version}'`)} as version,
             ${ofModel(({ input }) => `${input}`)} as input_rate,
             ${ofModel(({ cachedInput }) => `${cachedInput}`)} as cached_rate,
             ${ofModel(({ output }) => `${output}`)} as output_rate,
             case when mix % 211 = 0 then 'PLATFORM_ERROR' else 'OK' end as code,
             case when mix % 211 = 0 then 0 else 200 + (mix / 17) % 6000 end as input,
             case when mix % 211 = 0 then 0 else 20 + (mix / 19) % 900 end as output
        from mixed),
    counted as (
      select asked.*, case when mix % 3 = 0 then input / 4 else 0 end as cached from asked),
    priced as (
      select counted.*,
             (input - cached) * input_rate + cached * cached_rate + output * output_rate as cost
        from counted)
    select ${idOf('at', 'n')}, app, user_id, cast($3 as text), 'chat', model, model, version,
           key_id, '10.0.0.0/24', 'sandbox', at, code, input, cached, 0, output, output / 5, cost,
           case when mix % 499 = 0 then cost else 0 end,
           case when cost = 0 then 'free' when mix % 499 = 0 then 'estimated' else 'exact' end,
           ${attemptsText}, 'req_' || cast(n as text), at + 300 + mix % 900, 0, 0, cost * 2 + 1000
      from priced`;
}

const attemptsText = `
           '[{"startedAt":' || cast(at as text) || ',"tookMs":' || cast(290 + mix % 900 as text)
           || ',"outcome":"' || case when code = 'OK' then 'answered' else code end
           || '","status":' || case when code = 'OK' then '200' else '500' end
           || ',"requestId":"req_' || cast(n as text) || '","costPicoUsd":"' || cast(cost as text)
           || '","isEstimated":' || case when cost > 0 and mix % 499 = 0 then 'true' else 'false' end
           || ',"isCounted":' || case when cost > 0 and mix % 499 <> 0 then 'true' else 'false' end
           || '}]'`;

/** One of the values by a number: the first two are chosen half of the time. */
function pick(values: readonly string[], by = 'mix'): string {
  const parameters = values.length + 2;
  const cases = values.map((value, index) => {
    const low = index < 2 ? index * 2 : index + 2;
    return `when ${by} % ${parameters} <= ${index < 2 ? low + 1 : low} then ${value}`;
  });
  return `case ${cases.join(' ')} else ${values[0]} end`;
}

/** An id in the service's format: ten characters of time, sixteen random ones. */
function idOf(time: string, number: string): string {
  const character = (value: string, shift: number) =>
    `substr('${crockford}', cast(((${value} >> ${shift}) & 31) + 1 as integer), 1)`;
  const ten = (value: string) =>
    Array.from({ length: 10 }, (_, index) => character(value, 45 - index * 5)).join(' || ');
  return `'call_' || ${ten(time)} || 'f111ed' || ${ten(number)}`;
}
