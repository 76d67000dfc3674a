import type { UsageAnswer } from '@model-gateway/contract';
import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import type { AppDocument } from '../../src/operations/apps/app-document.ts';
import type { Document } from '../../src/operations/documents/shapes.ts';
import type * as documents from '../../src/operations/documents.ts';
import * as schemas from '../../src/operations/documents.ts';
import type { ProjectBinding } from '../../src/operations/projects/bindings.ts';
import type { Dimension } from '../../src/reports/dimensions.ts';
import type { SumsDocument } from '../../src/reports/report.ts';

type Schemas = typeof schemas;

/** `true` only where the documents of a schema and of a function are the same. */
type Same<Name extends keyof Schemas, Value> = [Document<Schemas[Name]>] extends [Value]
  ? [Value] extends [Document<Schemas[Name]>]
    ? true
    : 'the function answers what the schema does not have'
  : 'the schema has what the function does not answer';

/** Compiled, not run: it fails the type check when only one of the two is changed. */
interface Pins {
  readonly AppDocument: Same<'AppDocument', AppDocument>;
  readonly Dimension: Same<'Dimension', Dimension>;
  readonly ProjectBinding: Same<'ProjectBinding', ProjectBinding>;
  readonly SumsDocument: Same<'SumsDocument', SumsDocument>;
  readonly UsageDocument: Same<'UsageDocument', UsageAnswer>;
}

const pins: Pins = {
  AppDocument: true,
  Dimension: true,
  ProjectBinding: true,
  SumsDocument: true,
  UsageDocument: true,
};

test('the documents of operators match their schemas', () => {
  const all: Readonly<Record<string, TSchema>> = schemas;
  expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(pins)));
});

test('a schema and its type have the same name, and are JSON', () => {
  const page: documents.RunsPage = { items: [], after: null };
  expect(page.items).toEqual([]);
  for (const schema of Object.values(schemas)) {
    expect(JSON.parse(JSON.stringify(schema))).toBeTypeOf('object');
  }
});
