import { bodyLimits, type JsonObject, type JsonValue } from '@model-gateway/contract';
import Type, { type Static } from 'typebox';
import type { CarryName } from '../../../../domain/carry.ts';
import { printable, toolNameForm } from '../../gateway/body/schemas.ts';

/** `known-fields.ts` removes other fields first. */
export function createCompletionBody() {
  const messages = Type.Array(messageSchema(), {
    minItems: 1,
    maxItems: bodyLimits.messagesMax,
  });
  const tokens = Type.Integer({ minimum: 1, maximum: bodyLimits.maxTokensMax });
  const penalty = Type.Number({ minimum: -2, maximum: 2 });
  const sequence = Type.String({ minLength: 1 });
  return Type.Object(
    {
      model: Type.String({
        minLength: 1,
        maxLength: bodyLimits.modelCharactersMax,
        ...printable,
      }),
      messages,
      max_completion_tokens: Type.Optional(tokens),
      max_tokens: Type.Optional(tokens),
      temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
      top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      stop: Type.Optional(
        Type.Union([sequence, Type.Array(sequence, { maxItems: bodyLimits.stopSequencesMax })]),
      ),
      tools: Type.Optional(Type.Array(toolSchema(), { maxItems: toolsMax })),
      tool_choice: Type.Optional(choiceSchema()),
      parallel_tool_calls: Type.Optional(flag),
      response_format: Type.Optional(formatSchema()),
      reasoning_effort: Type.Optional(words(efforts)),
      seed: Type.Optional(Type.Integer({ minimum: -(2 ** 53) + 1, maximum: 2 ** 53 - 1 })),
      frequency_penalty: Type.Optional(penalty),
      presence_penalty: Type.Optional(penalty),
      verbosity: Type.Optional(words(verbosities)),
      stream: Type.Optional(flag),
      stream_options: Type.Optional(
        Type.Object(
          { include_usage: Type.Optional(flag), include_obfuscation: Type.Optional(flag) },
          closed,
        ),
      ),
      metadata: Type.Optional(jsonSchema),
      user: Type.Optional(Type.String()),
      safety_identifier: Type.Optional(Type.String()),
    },
    closed,
  );
}

export type CompletionBody = Static<ReturnType<typeof createCompletionBody>>;

const closed = { additionalProperties: false };

/** Agents with several tool servers exceed the limit of `/v1`. */
const toolsMax = 500;
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const details = ['auto', 'low', 'high', 'original'] as const;
const verbosities = ['low', 'medium', 'high'] as const;

const flag = Type.Union([Type.Literal(true), Type.Literal(false)]);

function words<Word extends string>(list: readonly Word[]) {
  return Type.Union(list.map((word) => Type.Literal(word)));
}

const anyJson = Type.Optional(Type.Unsafe<JsonValue>(Type.Unknown()));
/** Output other than text and calls; only its platform validates it. */
const own = {
  reasoning_content: anyJson,
  reasoning: anyJson,
  reasoning_details: anyJson,
  thinking: anyJson,
  thinking_blocks: anyJson,
  extra_content: anyJson,
  reasoning_items: anyJson,
  reasoning_parts: anyJson,
} satisfies Record<CarryName, typeof anyJson>;

function messageSchema() {
  const text = Type.Object({ type: Type.Literal('text'), text: Type.String() }, closed);
  const refusal = Type.Object({ type: Type.Literal('refusal'), refusal: Type.String() }, closed);
  const url = Type.Object({ url: Type.String(), detail: Type.Optional(words(details)) }, closed);
  const image = Type.Object({ type: Type.Literal('image_url'), image_url: url }, closed);
  const held = {
    file_data: Type.Optional(Type.String()),
    file_id: Type.Optional(Type.String()),
    filename: Type.Optional(Type.String()),
  };
  const file = Type.Object({ type: Type.Literal('file'), file: Type.Object(held, closed) }, closed);
  const parts = { minItems: 1, maxItems: bodyLimits.partsMax };
  const texts = Type.Union([Type.String(), Type.Array(text, parts)]);
  const name = Type.Optional(Type.String());
  const system = { content: texts, name };
  return Type.Union([
    Type.Object({ role: Type.Literal('system'), ...system }, closed),
    Type.Object({ role: Type.Literal('developer'), ...system }, closed),
    Type.Object(
      {
        role: Type.Literal('user'),
        content: Type.Union([Type.String(), Type.Array(Type.Union([text, image, file]), parts)]),
        name,
      },
      closed,
    ),
    Type.Object(
      {
        role: Type.Literal('assistant'),
        content: Type.Optional(
          Type.Union([Type.String(), Type.Array(Type.Union([text, refusal]), parts)]),
        ),
        refusal: Type.Optional(Type.String()),
        ...own,
        tool_calls: Type.Optional(
          Type.Array(callSchema(), { minItems: 1, maxItems: bodyLimits.toolCallsMax }),
        ),
        name,
      },
      closed,
    ),
    Type.Object(
      {
        role: Type.Literal('tool'),
        tool_call_id: Type.String({ minLength: 1 }),
        content: texts,
        name,
      },
      closed,
    ),
  ]);
}

function callSchema() {
  const called = Type.Object(
    { name: Type.String({ minLength: 1 }), arguments: Type.String() },
    closed,
  );
  return Type.Object(
    {
      ...{ type: Type.Literal('function'), id: Type.String({ minLength: 1 }), function: called },
      extra_content: anyJson,
    },
    closed,
  );
}

const toolName = Type.String({ minLength: 1, maxLength: 64, ...toolNameForm });

const jsonSchema = Type.Unsafe<JsonObject>({ type: 'object' });

function toolSchema() {
  const described = Type.Object(
    {
      name: toolName,
      description: Type.Optional(Type.String()),
      parameters: Type.Optional(jsonSchema),
      strict: Type.Optional(flag),
    },
    closed,
  );
  return Type.Object({ type: Type.Literal('function'), function: described }, closed);
}

function choiceSchema() {
  const named = Type.Object({ name: toolName }, closed);
  return Type.Union([
    Type.Literal('none'),
    Type.Literal('auto'),
    Type.Literal('required'),
    Type.Object({ type: Type.Literal('function'), function: named }, closed),
  ]);
}

function formatSchema() {
  const described = Type.Object(
    {
      name: toolName,
      description: Type.Optional(Type.String()),
      schema: Type.Optional(jsonSchema),
      strict: Type.Optional(flag),
    },
    closed,
  );
  return Type.Union([
    Type.Object({ type: Type.Literal('text') }, closed),
    Type.Object({ type: Type.Literal('json_object') }, closed),
    Type.Object({ type: Type.Literal('json_schema'), json_schema: described }, closed),
  ]);
}
