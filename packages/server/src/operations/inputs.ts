export * from './days/inputs.ts';
export * from './hooks/inputs.ts';
export * from './projects/inputs.ts';
export * from './reconcile/inputs.ts';
export * from './users/inputs.ts';
export * from './wallets/inputs.ts';
