import type { pathFamilies } from './platform-kinds/kind-facts.ts';
import type { Wire } from './wire.ts';

export type PathFamily = (typeof pathFamilies)[number];

export const wireOfPath: Readonly<Record<PathFamily, Wire>> = {
  'v1-chat': 'openai-chat',
  'v1-responses': 'openai-responses',
  'openai-v1-chat': 'openai-chat',
  'openai-v1-responses': 'openai-responses',
  'anthropic-v1-messages': 'anthropic-messages',
};

export type PathFamilies = readonly [PathFamily, ...PathFamily[]];
