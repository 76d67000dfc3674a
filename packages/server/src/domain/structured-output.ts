/** Every way in which a model can be made to answer with an object. */
export const structuredOutputs = ['json-schema', 'json-object', 'tool'] as const;

/** How a model is made to answer with an object. */
export type StructuredOutput = (typeof structuredOutputs)[number];
