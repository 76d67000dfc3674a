export * from './apps/inputs.ts';
export * from './calls/inputs.ts';
export * from './reconcile/inputs.ts';
