export const structuredOutputs = ['json-schema', 'json-object', 'tool'] as const;

export type StructuredOutput = (typeof structuredOutputs)[number];
