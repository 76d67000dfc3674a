/** Every path family of mantle: the path below its host, in words. */
export const pathFamilies = [
  'v1-chat',
  'v1-responses',
  'openai-v1-chat',
  'openai-v1-responses',
  'anthropic-v1-messages',
] as const;

/** Which of mantle's paths serves a model; no API of mantle tells it. */
export type PathFamily = (typeof pathFamilies)[number];
