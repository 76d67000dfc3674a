import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { messageShape } from '../../src/ingress/dialects/anthropic/message-shape.ts';
import { createCompletionBody } from '../../src/ingress/dialects/openai/chat/body.ts';
import { unsentFields } from '../../src/ingress/dialects/openai/chat/known-fields.ts';
import { responseShape } from '../../src/ingress/dialects/openai/response-shape.ts';
import type { Shape } from '../../src/ingress/dialects/relay/shape.ts';

const documents = readFileSync(new URL('../../../../docs/compatible.md', import.meta.url), 'utf8');

/** The table rows between two headings. */
function rowsOf(from: string, to: string): string {
  const section = documents.slice(documents.indexOf(from), documents.indexOf(to));
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n');
}

function fieldsOf(shape: Shape): readonly string[] {
  return typeof shape === 'object' && 'fields' in shape ? Object.keys(shape.fields) : [];
}

const users = ['user', 'safety_identifier', 'metadata'];
const chat = [...Object.keys(createCompletionBody().properties), ...unsentFields.keys()];

test.each([
  ['chat completions', chat.filter((name) => !users.includes(name)), '## Chat', '## Messages'],
  ['messages', fieldsOf(messageShape), '| messages |', '| responses |'],
  ['responses', fieldsOf(responseShape), '| responses |', '## Tiers'],
])('every field of %s has its row in the documents', (_, fields, from, to) => {
  expect(fields.length).toBeGreaterThan(15);
  const rows = rowsOf(from, to);
  expect(fields.filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
});
