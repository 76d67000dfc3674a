import { mustBeOneOf } from '../../lib/sentences.ts';
import { type Dimension, dimensionOf, dimensions } from '../../reports/dimensions.ts';
import { count, type Field, FieldFault, listed, optional } from '../description/field.ts';

export function topRows(most: number) {
  return optional(count(most, 'only the N most expensive rows'));
}

/** A user belongs to one app: two apps may use the same name for different people. */
export function splits(most: number): Field<readonly Dimension[]> {
  const about = `comma-separated list of ${dimensions.join(', ')} or tag:NAME`;
  return {
    ...listed({ type: 'string', minLength: 1, maxLength: 200 }, about, 'names'),
    decode(checked) {
      const by = [checked].flat().map((name) => dimensionNamed(String(name)));
      const all = by.includes('user') && !by.includes('app') ? (['app', ...by] as const) : by;
      if (all.length <= most) return all;
      throw new FieldFault(`must have at most ${most} names; it has ${all.join(', ')}`);
    },
  };
}

function dimensionNamed(name: string): Dimension {
  const dimension = dimensionOf(name);
  if (dimension !== undefined) return dimension;
  throw new FieldFault(mustBeOneOf([...dimensions, 'tag:NAME'], { word: name }));
}
