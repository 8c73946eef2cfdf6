import { expect, test } from '@jest/globals';
import { lifecycle } from './lifecycle.ts';
import { stateRequest } from './state-request.ts';

const states = lifecycle(
  'project',
  { planned: { start: 'active' }, active: { hold: 'held' }, held: { resume: 'active' } },
  { actions: { start: 'project.update', hold: 'project.update', resume: 'project.update', update: 'project.update' } },
);

test('a request accepts a state, and the action that leads to it', () => {
  const Status = stateRequest(states, ['active', 'held'], ['start', 'hold', 'resume']);
  expect(['active', 'held', 'start', 'hold', 'resume'].map((word) => Status.parse(word))).toEqual(
    'active held active held active'.split(' '),
  );
  for (const word of ['planned', 'update', 'finish']) expect(Status.safeParse(word).success).toBe(false);
});

test('a request rejects an action that leads to another state when it is declared', () => {
  expect(() => stateRequest(states, ['active'], ['hold'])).toThrow('project: hold leads to no state of the request.');
});
