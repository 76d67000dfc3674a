import type { PlatformKind } from './platform.ts';
import type { Wire } from './wire.ts';

/** Every path family: a path below the host of a platform, in words. */
export const pathFamilies = [
  'v1-chat',
  'v1-responses',
  'openai-v1-chat',
  'openai-v1-responses',
  'anthropic-v1-messages',
] as const;

/** A path on which a model is asked; no API of a platform reports it. */
export type PathFamily = (typeof pathFamilies)[number];

/** The wire of each path. */
export const wireOfPath: Readonly<Record<PathFamily, Wire>> = {
  'v1-chat': 'openai-chat',
  'v1-responses': 'openai-responses',
  'openai-v1-chat': 'openai-chat',
  'openai-v1-responses': 'openai-responses',
  'anthropic-v1-messages': 'anthropic-messages',
};

/** The paths of a model, one for each wire that it speaks. It is asked on the first. */
export type Speaks = readonly [PathFamily, ...PathFamily[]];

/** What models speak whose row states nothing, on kinds of platform with more than one wire. */
export const defaultSpeaks: Partial<Record<PlatformKind, Speaks>> = {
  openai: ['v1-chat', 'v1-responses'],
};
