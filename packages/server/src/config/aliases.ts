import { type AliasConfig, defaultFallbackOn, fallbackReasons } from '../domain/model.ts';
import type { Field, Read } from './field.ts';
import { modelId } from './model-id.ts';
import { reader } from './reader.ts';
import { oneOf } from './scalars.ts';
import { key, openSection, required, sectionSchema, uniqueList } from './section.ts';

const ids = uniqueList(modelId, {
  ...{ max: 8, noun: 'models', empty: 'is empty; list model ids' },
});

const route = reader(ids.schema, (field) => {
  const [first, ...others] = ids(field) ?? [];
  return first === undefined ? undefined : ([first, ...others] as const);
});

const aliasKeys = {
  id: required('Model id that callers send', modelId),
  route: required('Model ids, in order of preference', route),
  fallbackOn: key(
    'Failures after which the next model is tried, where that is safe',
    uniqueList(oneOf(fallbackReasons)),
  ),
};

const defaults = { fallbackOn: defaultFallbackOn } as const;

export const aliasSchema = sectionSchema(aliasKeys, defaults);

export function isAlias({ tree }: Field): boolean {
  return tree.kind === 'table' && tree.entries.has('route');
}

export function readAlias(item: Field, newId: Read<string>): AliasConfig | undefined {
  const section = openSection(item, aliasKeys);
  const id = section.readWith('id', newId);
  const models = section.read('route');
  const fallbackOn = section.read('fallbackOn') ?? defaults.fallbackOn;
  return id === undefined || models === undefined ? undefined : { id, route: models, fallbackOn };
}
