import type { PlatformKind } from './platform.ts';
import type { Wire } from './wire.ts';

export const pathFamilies = [
  'v1-chat',
  'v1-responses',
  'openai-v1-chat',
  'openai-v1-responses',
  'anthropic-v1-messages',
] as const;

export type PathFamily = (typeof pathFamilies)[number];

export const wireOfPath: Readonly<Record<PathFamily, Wire>> = {
  'v1-chat': 'openai-chat',
  'v1-responses': 'openai-responses',
  'openai-v1-chat': 'openai-chat',
  'openai-v1-responses': 'openai-responses',
  'anthropic-v1-messages': 'anthropic-messages',
};

/** One for each wire; asked on the first. */
export type Speaks = readonly [PathFamily, ...PathFamily[]];

/** For rows that state nothing, on kinds with more than one wire. */
export const defaultSpeaks: Partial<Record<PlatformKind, Speaks>> = {
  openai: ['v1-chat', 'v1-responses'],
};
