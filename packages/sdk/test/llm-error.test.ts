import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { LlmError } from '../src/index.ts';

const full = {
  message: 'the budget of today is spent',
  status: 429,
  code: 'BUDGET_EXCEEDED',
  attempts: 1,
  requestId: 'platform-1',
  model: 'my-model',
  retryAfterMs: 5_000,
  idempotencyKey: 'key-1',
} as const;

describe('LlmError', () => {
  test('is an Error with its own name', () => {
    const error = new LlmError(full);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe('LlmError: the budget of today is spent');
    expect(error.stack).toMatch(/^LlmError: the budget/);
  });

  test('prints its fields, and JSON has them, with the message', () => {
    const error = new LlmError({ ...full, cause: new Error('deeper') });
    expect(inspect(error)).toContain("code: 'BUDGET_EXCEEDED'");
    expect(inspect(error)).toContain('deeper');
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      ...{ ...full, name: 'LlmError', retryable: false },
    });
  });

  test('without optional fields has none', () => {
    const error = new LlmError({ message: 'm', status: 0, code: 'NETWORK', attempts: 3 });
    expect(Object.keys(error)).toEqual(['status', 'code', 'attempts', 'retryable']);
    expect('cause' in error).toBe(false);
  });

  test('is recognized by LlmError.is, also from another copy of the package', async () => {
    vi.resetModules();
    const { LlmError: OtherError } = await import('../src/index.ts');
    const foreign = new OtherError(full);
    expect(foreign).not.toBeInstanceOf(LlmError);
    expect(LlmError.is(foreign)).toBe(true);
    expect(LlmError.is(new LlmError(full))).toBe(true);
    for (const value of [new Error('no'), { code: 'X' }, null, undefined, 'text', () => 1]) {
      expect(LlmError.is(value)).toBe(false);
    }
  });
});
