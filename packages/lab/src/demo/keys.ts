import { refused, type StepGroup } from './step.ts';

export const keySteps: StepGroup = {
  title: 'Keys and apps that are refused',
  steps: [
    {
      id: 'unknown-key',
      title: 'A key that was never issued',
      expected: { status: 403, code: 'FORBIDDEN' },
      run: (stack) => refused(stack.clientOfText('a-key-that-was-never-issued').models()),
    },
    {
      id: 'odd-key-name',
      title: 'A key whose name does not say its role and app',
      expected: { status: 401, code: 'UNAUTHORIZED' },
      async run(stack) {
        return refused((await stack.clientOfName('key of search', 'search')).models());
      },
    },
    {
      id: 'unregistered-app',
      title: 'A key of an app that is not registered',
      expected: { status: 403, code: 'NO_SERVICE' },
      async run(stack) {
        const name = 'llm::user::ghost::team@demo.example';
        return refused((await stack.clientOfName(name, 'ghost')).models());
      },
    },
    {
      id: 'disabled-app',
      title: 'An app that an operator has disabled',
      expected: { status: 403, code: 'DISABLED' },
      async run(stack) {
        return refused((await stack.client('retired')).models());
      },
    },
  ],
};
