import type { Doubt } from '../../domain/doubt.ts';
import type { ModalityPart } from '../../domain/rates.ts';
import type { NumberLine } from '../statements/numbers.ts';
import type { UsageNode } from './usage-tree.ts';

export function useOf(value: number, { tool }: NumberLine, path: string): Doubt {
  const doubt = { reason: 'server-tool', name: nameOf(path) } as const;
  if (!Number.isSafeInteger(value) || value < 0) return doubt;
  const name = path.slice(path.lastIndexOf('.') + 1);
  return { ...doubt, tool: tool ?? name.replace(/_(?:requests|calls)$/, ''), uses: value };
}

export function modalityPart(
  modality: unknown,
  within: NonNullable<NumberLine['within']>,
): ModalityPart | undefined {
  if (modality === 'IMAGE') return within === 'input' ? 'imageInput' : 'imageOutput';
  if (modality === 'AUDIO') return within === 'input' ? 'audioInput' : 'audioOutput';
  return undefined;
}

export const otherModalities = new Set<unknown>(['AUDIO', 'VIDEO']);

const money = /cost|price|charge|fee(?!d)|spen[dt]|billed/i;

export function isUnknownCost(value: object, node: UsageNode | undefined): boolean {
  if (node?.cost === undefined || Object.keys(value).length === 0) return false;
  for (const [name, { cost }] of node.below) if (cost !== undefined && name in value) return false;
  return true;
}

export function isTimeOrRate(value: number, path: string): boolean {
  return Number.isFinite(value) && !Number.isInteger(value) && !money.test(path);
}

/** Used in logs and labels, so length and letters are limited. */
export function nameOf(path: string): string {
  if (/^[\w.]{1,64}$/.test(path)) return path;
  const names = path.split('.').map((name) => (/^\w{1,64}$/.test(name) ? name : 'other'));
  return names.join('.').slice(0, 64);
}
