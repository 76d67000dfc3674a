import type { Doubt } from '../../domain/doubt.ts';
import type { ModalityPart } from '../../domain/rates.ts';
import type { NumberLine } from '../statements/numbers.ts';
import type { UsageNode } from './usage-tree.ts';

/** Uses of a tool that the platform runs. */
export function useOf(value: number, { tool }: NumberLine, path: string): Doubt {
  const doubt = { reason: 'server-tool', name: nameOf(path) } as const;
  if (!Number.isSafeInteger(value) || value < 0) return doubt;
  const name = path.slice(path.lastIndexOf('.') + 1);
  return { ...doubt, tool: tool ?? name.replace(/_(?:requests|calls)$/, ''), uses: value };
}

/** The part that a modality is of; undefined for text and for what has no part. */
export function modalityPart(
  modality: unknown,
  within: NonNullable<NumberLine['within']>,
): ModalityPart | undefined {
  if (modality === 'IMAGE') return within === 'input' ? 'imageInput' : 'imageOutput';
  if (modality === 'AUDIO') return within === 'input' ? 'audioInput' : 'audioOutput';
  return undefined;
}

/** Modalities whose tokens have another price than text. */
export const otherModalities = new Set<unknown>(['AUDIO', 'VIDEO']);

const money = /cost|price|charge|fee(?!d)|spen[dt]|billed/i;

/** Whether a cost has parts, and no total that is known. */
export function isUnknownCost(value: object, node: UsageNode | undefined): boolean {
  if (node?.cost === undefined || Object.keys(value).length === 0) return false;
  for (const [name, { cost }] of node.below) if (cost !== undefined && name in value) return false;
  return true;
}

/** Whether a number of unknown meaning is a time or a rate, and not an amount of money. */
export function isTimeOrRate(value: number, path: string): boolean {
  return Number.isFinite(value) && !Number.isInteger(value) && !money.test(path);
}

/** A platform's word goes to the log and to labels: none that is longer or of other letters. */
export function nameOf(path: string): string {
  if (/^[\w.]{1,64}$/.test(path)) return path;
  const names = path.split('.').map((name) => (/^\w{1,64}$/.test(name) ? name : 'other'));
  return names.join('.').slice(0, 64);
}
