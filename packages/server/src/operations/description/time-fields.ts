import { isUtcDay, utcDayRule } from '../../lib/clock.ts';
import { mustBe, show } from '../../lib/sentences.ts';
import { type Field, FieldFault, field, type Parts } from './field.ts';

/** Decodes to UTC milliseconds; a day means its start. */
export function time(about: string): Field<number> {
  const schema = {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?Z)?$',
    rule: timeRule,
  };
  return field(schema, {
    ...{ about, placeholder: 'time' },
    decode(checked) {
      const text = String(checked);
      const epochMs = isUtcDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
      if (!Number.isNaN(epochMs)) return epochMs;
      throw new FieldFault(mustBe(timeRule, show(text)));
    },
  });
}

const timeRule = 'a day such as 2026-12-31, or a time such as 2026-12-31T18:00Z (UTC)';

/** Also accepts an age: `24h`. */
export function since(about: string): Field<number> {
  const written = time(about);
  return {
    ...written,
    schema: { ...written.schema, rule: `${timeRule}, or a time ago: 30m, 24h, 7d` },
    fromText(text, nowMs) {
      const ago = minutesOf(text);
      return ago === undefined ? text : new Date(nowMs - ago * 60_000).toISOString();
    },
  };
}

/** A valid UTC day. */
export function day(about: string): Field<string> {
  return calendar(/^\d{4}-\d\d-\d\d$/, utcDayRule, {
    ...{ about, placeholder: 'day', exists: isUtcDay },
  });
}

/** A word becomes a day once the store's time is available. */
export function dayOrWord(about: string): Field<string> {
  return calendar(/^(\d{4}-\d\d-\d\d|today|yesterday)$/, `${utcDayRule}, or today or yesterday`, {
    ...{ about, placeholder: 'day' },
    exists: (text) => text === 'today' || text === 'yesterday' || isUtcDay(text),
  });
}

/** A UTC month. */
export function month(about: string): Field<string> {
  return calendar(/^\d{4}-\d\d$/, 'a UTC month such as 2026-11', {
    ...{ about, placeholder: 'month', exists: (text) => isUtcDay(`${text}-01`) },
  });
}

function calendar(
  pattern: RegExp,
  rule: string,
  {
    exists,
    ...parts
  }: Pick<Parts<string>, 'about' | 'placeholder'> & {
    readonly exists: (text: string) => boolean;
  },
): Field<string> {
  return field(
    { type: 'string', pattern: pattern.source, rule },
    {
      ...parts,
      decode(checked) {
        const text = String(checked);
        if (exists(text)) return text;
        throw new FieldFault(mustBe(rule, show(text)));
      },
    },
  );
}

/** At most 366 days. JSON: minutes; an option: `30m`, `24h` or `7d`. */
export function minutes(about: string): Field<number> {
  const schema = {
    ...{ type: 'integer', minimum: 1, maximum: minutesMax },
    rule: `1 to ${minutesMax} minutes (366 days); as an option, for example 30m, 24h or 7d`,
  };
  return field(schema, {
    ...{ about, placeholder: 'time', decode: Number },
    fromText: (text) => minutesOf(text) ?? text,
  });
}

function minutesOf(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitMinutes.get(unit) ?? 1);
}

const minutesMax = 527_040;
const unitMinutes = new Map([
  ['m', 1],
  ['h', 60],
  ['d', 1_440],
]);
