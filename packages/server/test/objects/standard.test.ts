import { describe, expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { expectError } from '../support/expect-answer.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { defaultYaml, openStack } from '../support/stack.ts';
import { asTold, objectOf, sendInRealTime, sendTo, told } from './ask.ts';

// Rules that the compiler reads differently from the standard. The whole official suite is run by
// `npm run check:standards`.

const draft2020 = 'https://json-schema.org/draft/2020-12/schema';
const of = (text: string) => ({ type: 'object', ...JSON.parse(text) });
const newer = (text: string) => ({ $schema: draft2020, ...of(text) });
const list = (text: string) => newer(`{"properties":{"a":${text}}}`);

const shared = sharedStack({ yaml: defaultYaml, script: asTold });

const proto = of(
  '{"properties":{"__proto__":{"type":"number"},"b":{}},"additionalProperties":false}',
);
const onlyIf = newer(
  '{"if":{"properties":{"a":{"const":1}},"required":["a"]},"unevaluatedProperties":false}',
);
const onlyElse = newer(
  '{"if":{"properties":{"a":{"const":1}},"required":["a"]},"else":{"properties":{"b":true}},"unevaluatedProperties":false}',
);
const dynamic = newer(
  '{"$defs":{"s":{"$dynamicAnchor":"s","type":"string"}},"properties":{"a":{"$dynamicRef":"#s"},"b":{"$ref":"#/$defs/s","$dynamicRef":"#/$defs/long"}}}',
);
dynamic.$defs.long = { minLength: 2 };
const siblings = of(
  '{"definitions":{"list":{"type":"array"}},"properties":{"a":{"$ref":"#/definitions/list","maxItems":1}}}',
);
const depends = of('{"dependencies":{"__proto__":["b"]}}');
const dependsOnSchema = of('{"dependencies":{"__proto__":{"required":["b"]}}}');

describe('a response is validated as the standard requires', () => {
  test.each([
    [proto, '{"__proto__":1}', true],
    [proto, '{"__proto__":"a"}', false],
    [proto, '{"c":1}', false],
    [depends, '{"__proto__":1}', false],
    [depends, '{"__proto__":1,"b":2}', true],
    [dependsOnSchema, '{"__proto__":1}', false],
    [dependsOnSchema, '{"b":2}', true],
    [siblings, '{"a":[1,2]}', true],
    [siblings, '{"a":1}', false],
    [onlyIf, '{"a":1}', true],
    [onlyIf, '{"a":2}', false],
    [onlyElse, '{"a":1}', true],
    [onlyElse, '{"b":1}', true],
    [onlyElse, '{"a":2,"b":1}', false],
    [dynamic, '{"a":"x","b":"yz"}', true],
    [dynamic, '{"a":1}', false],
    [dynamic, '{"b":"y"}', false],
    [dynamic, '{"b":12}', false],
    [list('{"prefixItems":[true],"unevaluatedItems":false}'), '{"a":[1]}', true],
    [list('{"prefixItems":[true],"unevaluatedItems":false}'), '{"a":[1,2]}', false],
    [list('{"items":{"contains":{"const":1}},"unevaluatedItems":false}'), '{"a":[[1]]}', true],
  ])('%j, %s: %s', async (schema, text, fits) => {
    const { stack } = shared();
    const request = objectOf('sim-echo', { ...told({ text }), schema });
    const { status, text: answer } = await sendInRealTime(stack, '/v1/objects', request);
    expect([status, JSON.parse(answer).error?.code]).toEqual(
      fits ? [200, undefined] : [502, 'BAD_OUTPUT'],
    );
  });
});

describe('what the compiler cannot judge is rejected before money is reserved', () => {
  test.each([
    '{"contains":{"type":"string"},"unevaluatedItems":false}',
    '{"allOf":[{"contains":{"multipleOf":2}}],"unevaluatedItems":{"multipleOf":5}}',
    '{"if":{"contains":{"const":"a"}},"unevaluatedItems":false}',
    '{"anyOf":[{"items":{"type":"string"}},true],"unevaluatedItems":{"type":"boolean"}}',
    '{"if":{"prefixItems":[{"const":"a"}]},"unevaluatedItems":false}',
    '{"$ref":"#/$defs/c","$defs":{"c":{"contains":{"const":1}}},"unevaluatedItems":false}',
    '{"$ref":"#c","$defs":{"c":{"$anchor":"c","contains":{"const":1}}},"unevaluatedItems":false}',
  ])('%s', async (text) => {
    const other = await openStack();
    const schema = list(text.replace('#/$defs', '#/properties/a/$defs'));
    const refused = await sendTo(other, '/v1/objects', objectOf('sim-echo', { schema }));
    const says = ['schema.properties.a.unevaluatedItems is not supported next to contains'];
    expectError(refused, { status: 400, code: 'INVALID', says });
    await expectBooks(other, 'search', { calls: [], billedUsd: '0' });
    await other.close();
  });
});
