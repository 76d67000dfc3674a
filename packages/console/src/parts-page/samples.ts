/** Longer than any layout expects. */
export const longName = `support-copilot-${'multilingual-'.repeat(4)}eu`;
export const longModel = `models/${'a-family-of-models/'.repeat(10)}2026-11`;

export const users = [longName, 'search', 'مستخدم-سبعة', '🦊🦊', 'tutor', 'batch', 'lab'];

export const amounts = ['12345678.9', '0.00000001', '0', '1.005', '0.024161', '48.109', '-0.5'];
